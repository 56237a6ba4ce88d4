// One line below the header of a row: its results, then latency and cost.
import { TriangleAlert } from 'lucide'
import type { ReactNode } from 'react'
import { formatFixed } from '../results/evaluator-display.ts'
import type { Outcome } from '../results/outcomes.ts'
import { RESULT_STATES } from '../results/result-states.ts'
import { StateIcon } from '../results/state-icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { useIsNarrow } from '../ui/media.ts'
import styles from './summary-line.module.css'

/** More results would not be readable in one line. */
const MAX_RESULTS = 8

interface SummaryLineProps {
  hasFailed: boolean
  outcomes: readonly Outcome[]
  /** Called by the button for the results that are not in the line. */
  onShowAll: () => void
  /** At the end of the line: latency and cost. */
  children: ReactNode
}

export function SummaryLine({ hasFailed, outcomes, onShowAll, children }: SummaryLineProps) {
  const isNarrow = useIsNarrow()
  const isCounted = outcomes.length > MAX_RESULTS
  const visibleOutcomes = isCounted ? failuresFirst(outcomes).slice(0, MAX_RESULTS) : outcomes
  return (
    <div className={styles.line} tabIndex={isNarrow ? 0 : undefined}>
      <ul className={`${styles.results} ${isCounted ? styles.counted : ''}`} aria-label="Summary">
        {hasFailed && (
          <li className="worse">
            <Icon icon={TriangleAlert} size={14} /> output failed
          </li>
        )}
        {isCounted && <Counts outcomes={outcomes} />}
        {visibleOutcomes.map((outcome, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an evaluator can have several results
          <li key={index} data-tooltip={outcome.evaluator}>
            <StateIcon state={outcome.state} />
            <bdi className={styles.name}>{outcome.evaluator}</bdi> <ShortResult outcome={outcome} />
          </li>
        ))}
      </ul>
      {isCounted && (
        <button type="button" className={`plain ${styles.more}`} onClick={onShowAll}>
          All {outcomes.length}
        </button>
      )}
      <div className={styles.measures}>{children}</div>
    </div>
  )
}

/** How many results failed, passed or are errors: "✗ 12 ✓ 15". */
function Counts({ outcomes }: Pick<SummaryLineProps, 'outcomes'>) {
  return (['fail', 'pass', 'error'] as const).map((state) => {
    const { name, color } = RESULT_STATES[state]
    const count = outcomes.filter((outcome) => outcome.state === state).length
    return (
      count > 0 && (
        <li key={state} className={color} data-tooltip={name}>
          <StateIcon state={state} />
          <b className={styles.score}>{count}</b> <span className="sr-only">{name.toLowerCase()}</span>
        </li>
      )
    )
  })
}

/** A score or a label. The icon shows verdicts and errors. */
function ShortResult({ outcome: { state, text, display, isScore } }: { outcome: Outcome }) {
  const isLabel = state === 'labeled'
  const isMissing = state === 'unscored' || state === 'output_error'
  return (
    <>
      <span className={isMissing ? 'muted' : 'sr-only'}>{RESULT_STATES[state].name.toLowerCase()}</span>
      {isScore && <b className={styles.score}>{formatFixed(Number(text), display)}</b>}
      {/* CSS truncates the rest. */}
      {isLabel && <bdi className={styles.label}>{text.slice(0, 100)}</bdi>}
    </>
  )
}

/** The order within failures and within the others stays the same. */
function failuresFirst(outcomes: readonly Outcome[]): Outcome[] {
  return outcomes.toSorted((a, b) => Number(b.state === 'fail') - Number(a.state === 'fail'))
}
