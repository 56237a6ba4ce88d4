// Makes a link that opens the present view for whoever has it and nothing else, and ends those that were made.
import { useEffect, useId, useRef, useState } from 'react'
import type { Shared } from './button.tsx'
import { Made } from './made.tsx'
import { NewLink } from './new-link.tsx'
import styles from './share.module.css'
import { Shares } from './shares.tsx'
import { openedWords, readableWords } from './words.ts'

export function ShareDialog({ confined_to, link, onClose }: Shared & { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // What is shown is what was on screen when the dialog was opened.
  const [view] = useState(() => ({
    link: location.origin + location.pathname + location.search,
    ...link?.(),
  }))
  const [key, setKey] = useState<string>()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby={heading} className={styles.dialog} onClose={onClose}>
      <header className={styles.head}>
        <h2 id={heading}>Share this view</h2>
        <button type="button" className="plain" onClick={() => dialog.current?.close()}>
          ✕<span className="unseen">Close</span>
        </button>
      </header>
      <p>
        A link opens{' '}
        <strong>
          <bdi>{openedWords(confined_to)}</bdi>
        </strong>{' '}
        as you see it now. Whoever has it can read {readableWords(confined_to)}, without a key of their own,
        until it ends; they can change nothing, and see nothing else of the project.
      </p>
      {key === undefined ? (
        <NewLink confined_to={confined_to} onMade={setKey} />
      ) : (
        <Made link={`${view.link}#key=${key}`} areColumnsLeftOut={view.areColumnsLeftOut ?? false} />
      )}
      <Shares />
    </dialog>
  )
}
