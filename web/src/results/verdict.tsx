// The result of an evaluator with symbol, color and label, and its difference to the baseline.

import { formatScore } from '../format/numbers.ts'
import { Delta } from '../ui/delta.tsx'
import { LongText } from '../ui/truncation.tsx'
import { type Outcome, STATE_SYMBOLS } from './outcomes.ts'
import { STATE_NAMES } from './result-states.ts'
import styles from './verdict.module.css'

/** The short form shows the symbol without the label, and no error message. */
export function Verdict({ outcome, isShort = false }: { outcome: Outcome; isShort?: boolean }) {
  const { state, text } = outcome
  const color = { pass: 'better', fail: 'worse', error: styles.error }[state as string]
  const hasLabel = ['pass', 'fail', 'error'].includes(state)
  const hasValue = hasLabel ? state !== 'error' : state === 'scored' || state === 'labeled'
  return (
    <span className={styles.verdict}>
      <span className={color}>
        <span aria-hidden="true">{STATE_SYMBOLS[state]}</span>
        <span className={isShort || !hasLabel ? 'sr-only' : undefined}>
          {' '}
          {STATE_NAMES[state].toLowerCase()}
        </span>
        {hasValue && text !== '' && (
          <>
            {STATE_SYMBOLS[state] && ' '}
            <b className={isShort ? styles.short : styles.value}>
              {isShort ? shortText(outcome) : <LongText text={text} />}
            </b>
          </>
        )}
      </span>
      {!hasValue && !isShort && (
        <bdi className={hasLabel ? undefined : 'muted'}>
          {' '}
          <LongText text={text} />
        </bdi>
      )}
    </span>
  )
}

function shortText({ state, text }: Outcome): string {
  // CSS truncates the rest.
  return state === 'labeled' ? text.slice(0, 100) : formatScore(Number(text))
}

export function OutcomeDelta({ outcome: { delta, rule, isVerdict } }: { outcome: Outcome }) {
  if (delta === undefined) return null
  const format = isVerdict ? undefined : formatScore
  return <Delta difference={delta} higherIsBetter={rule.higherIsBetter} format={format} />
}
