// The palette (Ctrl+K): goes to any evaluation, variant or revision, and runs any action of the page.
import { Search } from 'lucide'
import { Suspense, useEffect, useId, useRef, useState } from 'react'
import { useRestriction } from '../../api/restriction.ts'
import { Icon } from '../../ui/icon.tsx'
import { Keys } from '../../ui/keys.tsx'
import { useIsNarrow } from '../../ui/media.ts'
import { lazyComponent } from '../../ui/messages/lazy-component.tsx'
import styles from './palette.module.css'

// Only the results are lazy: what is typed while they load must not reach the shortcuts of the page.
const PaletteResults = lazyComponent(async () => (await import('./palette-results.tsx')).PaletteResults)

export function Palette({ onClose }: { onClose: () => void }) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [activeId, setActiveId] = useState<string>()
  const isRestricted = useRestriction() !== null
  const isNarrow = useIsNarrow()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-label="Search or jump to" className={styles.palette} onClose={onClose}>
      <div className={styles.field}>
        <Icon icon={Search} />
        <input
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded={activeId !== undefined}
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={activeId}
          placeholder={
            isRestricted ? 'Search actions' : isNarrow ? 'Search' : 'Search evaluations, variants and actions'
          }
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Keys keys={['Escape']} />
      </div>
      <Suspense>
        <PaletteResults id={id} text={text.trim()} dialog={dialog} onActive={setActiveId} />
      </Suspense>
    </dialog>
  )
}
