// The result of an evaluator with symbol, color and label, and its difference to the baseline.
import { Delta } from '../ui/delta.tsx'
import { LongText } from '../ui/truncation.tsx'
import { formatFixed, padDecimals } from './evaluator-display.ts'
import type { Outcome } from './outcomes.ts'
import { RESULT_STATES } from './result-states.ts'
import { StateIcon } from './state-icon.tsx'
import styles from './verdict.module.css'

interface VerdictProps {
  outcome: Outcome
  /** False if the message of an error is shown elsewhere. */
  hasMessage?: boolean
}

export function Verdict({ outcome, hasMessage = true }: VerdictProps) {
  const { state, display } = outcome
  const text = outcome.isScore ? padDecimals(outcome.text, display) : outcome.text
  const { name, color = state === 'error' ? styles.error : undefined } = RESULT_STATES[state]
  const hasLabel = ['pass', 'fail', 'error'].includes(state)
  const hasValue = hasLabel ? state !== 'error' : state === 'scored' || state === 'labeled'
  return (
    <span className={styles.verdict}>
      <span className={color}>
        <StateIcon state={state} />
        <span className={hasLabel ? undefined : 'sr-only'}> {name.toLowerCase()}</span>
        {hasValue && text !== '' && (
          <>
            {hasLabel && ' '}
            <b className={styles.value}>
              <LongText text={text} />
            </b>
          </>
        )}
      </span>
      {!hasValue && (hasMessage || !hasLabel) && (
        <bdi className={hasLabel ? styles.message : 'muted'}>
          {' '}
          <LongText text={text} />
        </bdi>
      )}
    </span>
  )
}

export function OutcomeDelta({ outcome: { delta, display, isVerdict } }: { outcome: Outcome }) {
  if (delta === undefined) return null
  const format = isVerdict ? undefined : (amount: number) => formatFixed(amount, display)
  return <Delta difference={delta} higherIsBetter={display.higherIsBetter} format={format} />
}
