// Makes a link that opens the present view for whoever has it and nothing else, and ends those that were made.
import { useId, useState } from 'react'
import { showModal } from '../parts/focus.ts'
import type { Shared } from './button.tsx'
import { Made } from './made.tsx'
import { NewLink } from './new-link.tsx'
import styles from './share.module.css'
import { Shares } from './shares.tsx'
import { openedWords, readableWords } from './words.ts'

export function ShareDialog({ confined_to, link, onClose }: Shared & { onClose: () => void }) {
  const heading = useId()
  // What is shown is what was on screen when the dialog was opened.
  const [view] = useState(link)
  const [key, setKey] = useState<string>()
  return (
    <dialog ref={showModal} aria-labelledby={heading} className={styles.dialog} onClose={onClose}>
      <header className={styles.head}>
        <h2 id={heading}>Share this view</h2>
        <form method="dialog">
          <button type="submit" className="plain">
            ✕<span className="unseen">Close</span>
          </button>
        </form>
      </header>
      <p>
        A link opens{' '}
        <strong>
          <bdi>{openedWords(confined_to)}</bdi>
        </strong>{' '}
        as you see it now. Whoever has it can read {readableWords(confined_to)}, until it ends. They change
        nothing, and see nothing else of the project.
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
