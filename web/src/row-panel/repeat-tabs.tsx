// Selects one of the repeats of a row. Each tab has the state and the score of its repeat.
import { useEffect, useRef } from 'react'
import type { RepeatState } from '../results/repeats.ts'
import { MAX_MARKS } from '../results/repeats.ts'
import { StateIcon } from '../results/state-icon.tsx'
import { useShortcuts } from '../state/shortcuts.ts'
import styles from './repeat-tabs.module.css'

export interface RepeatTab {
  /** The scenario of the repeat. */
  id: string
  /** Of the selected evaluator; undefined if it is not known. */
  state?: RepeatState | undefined
  /** The second line: a score. */
  detail?: string | undefined
}

interface RepeatTabsProps {
  /** For screen readers: "Repeat", "Repeat of r4". */
  label: string
  tabs: readonly RepeatTab[]
  selectedId: string
  /** Whether the keys 1 to 9 select a tab. */
  hasKeys?: boolean
  onSelect: (id: string) => void
}

const MAX_KEYS = 9

export function RepeatTabs({ label, tabs, selectedId, hasKeys = true, onSelect }: RepeatTabsProps) {
  const keys = hasKeys ? tabs.slice(0, MAX_KEYS) : []
  useShortcuts(
    'panel',
    Object.fromEntries(
      keys.map(({ id }, index) => [
        index + 1,
        { label: `Show repeat ${index + 1}`, run: () => onSelect(id) },
      ]),
    ),
  )
  const selected = useRef<HTMLButtonElement>(null)
  // Of many tabs, the selected one can be outside of the strip.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection scrolls
  useEffect(() => {
    selected.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [selectedId])
  const isCompact = tabs.length > MAX_MARKS
  return (
    <fieldset className={isCompact ? `${styles.tabs} ${styles.compact}` : styles.tabs}>
      <legend className="sr-only">{label}</legend>
      {tabs.map(({ id, state, detail }, index) => (
        <button
          key={id}
          ref={id === selectedId ? selected : undefined}
          type="button"
          className={styles.tab}
          aria-pressed={id === selectedId}
          onClick={() => onSelect(id)}
        >
          <span className={styles.name}>
            {state && <StateIcon state={state} />}
            <span className={isCompact ? 'sr-only' : undefined}>Repeat </span>
            {index + 1}
          </span>
          {!isCompact && index < keys.length && (
            <span aria-hidden="true" className={styles.key}>
              <kbd>{index + 1}</kbd>
            </span>
          )}
          {state && state !== 'unscored' && <span className="sr-only">{state}</span>}
          {detail !== undefined && !isCompact && <span className={styles.detail}>{detail}</span>}
        </button>
      ))}
    </fieldset>
  )
}
