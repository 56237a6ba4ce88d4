// Selects one of the repeats of a row. Each tab has the state and the score of its repeat.
import { useEffect, useRef } from 'react'
import { DEFAULT_DISPLAY, type EvaluatorDisplays, formatFixed } from '../results/evaluator-display.ts'
import { MAX_MARKS, type RepeatState, type RowRepeats, repeatedResult } from '../results/repeats.ts'
import { StateIcon } from '../results/state-icon.tsx'
import { useShortcuts } from '../state/shortcuts.ts'
import styles from './repeat-tabs.module.css'

interface RepeatTab {
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

/** The state is that of the active evaluator with verdicts, or of the first one. The detail is the first score. */
export function repeatTabs(
  repeats: RowRepeats,
  displays: EvaluatorDisplays,
  activeEvaluator: string | undefined,
): RepeatTab[] {
  const results = repeats.scores
    .toSorted((a, b) => Number(b.evaluator === activeEvaluator) - Number(a.evaluator === activeEvaluator))
    .flatMap(({ evaluator }) => {
      const display = displays[evaluator] ?? DEFAULT_DISPLAY
      const result = repeatedResult(repeats, evaluator, display)
      return result ? { ...result, display } : []
    })
  const verdicts = results.find(({ hasVerdicts }) => hasVerdicts)
  const numbers = results.find(({ states }) => states.includes('scored'))
  return repeats.scenarios.map((id, index) => {
    const score = numbers?.scores[index]
    const isUnscored = results.length > 0 && results.every(({ scores }) => scores[index] === null)
    return {
      id,
      state: verdicts?.states[index],
      detail:
        numbers && typeof score === 'number'
          ? formatFixed(score, numbers.display)
          : isUnscored
            ? 'not scored'
            : undefined,
    }
  })
}
