// What an evaluator said, by sign, colour and word, and how far that is from the baseline.
import { STATE_NAMES } from '../evaluation/states.ts'
import { score } from '../format/numbers.ts'
import { Delta } from '../parts/delta.tsx'
import { LongText } from '../parts/long-text.tsx'
import { type Outcome, SIGNS } from './outcomes.ts'
import styles from './verdict.module.css'

/** Short, the sign stands for the word, and why an evaluator failed is left out. */
export function Verdict({ outcome, isShort = false }: { outcome: Outcome; isShort?: boolean }) {
  const { state, text } = outcome
  const colour = { pass: 'better', fail: 'worse', error: styles.error }[state as string]
  const isSaid = ['pass', 'fail', 'error'].includes(state)
  const hasValue = isSaid ? state !== 'error' : state === 'scored' || state === 'labelled'
  return (
    <span className={styles.verdict}>
      <span className={colour}>
        <span aria-hidden="true">{SIGNS[state]}</span>
        <span className={isShort || !isSaid ? 'unseen' : undefined}> {STATE_NAMES[state].toLowerCase()}</span>
        {hasValue && text !== '' && (
          <>
            {SIGNS[state] && ' '}
            <b className={isShort ? styles.short : styles.value}>
              {isShort ? shortened(outcome) : <LongText text={text} />}
            </b>
          </>
        )}
      </span>
      {!hasValue && !isShort && (
        <bdi className={isSaid ? undefined : 'soft'}>
          {' '}
          <LongText text={text} />
        </bdi>
      )}
    </span>
  )
}

function shortened({ state, text }: Outcome): string {
  // More than that is not in sight.
  return state === 'labelled' ? text.slice(0, 100) : score(Number(text))
}

export function OutcomeDelta({ outcome: { delta, rule, isVerdict } }: { outcome: Outcome }) {
  if (delta === undefined) return null
  const format = isVerdict ? undefined : score
  return <Delta value={delta} higherIsBetter={rule.higherIsBetter} format={format} />
}
