// "3/5" and a mark per repeat: a dot passes, a cross fails, a dashed circle has no score.
import { formatCount } from '../format/numbers.ts'
import styles from './repeat-marks.module.css'
import { MAX_MARKS, type RepeatedResult, type RepeatState } from './repeats.ts'

const STEP = 12

/** Only the text if there are too many repeats for marks. */
export function PassCount({ result }: { result: RepeatedResult }) {
  const { passes, count, states } = result
  return (
    <span className={styles.passes}>
      <span aria-hidden="true" className={styles.count}>
        <b>{formatCount(passes)}</b>/{formatCount(count)}
      </span>
      <RepeatMarks states={states} />
      <span className="sr-only">
        {formatCount(passes)} of {formatCount(count)} pass
      </span>
    </span>
  )
}

/** Decoration: the text next to the marks has their number. */
function RepeatMarks({ states }: { states: readonly RepeatState[] }) {
  if (states.length > MAX_MARKS) return null
  const width = states.length * STEP
  return (
    <svg
      aria-hidden="true"
      className={styles.marks}
      viewBox={`0 0 ${width} ${STEP}`}
      width={width}
      height={STEP}
    >
      {states.map((state, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a repeat is its number
        <Mark key={index} state={state} x={index * STEP} />
      ))}
    </svg>
  )
}

function Mark({ state, x }: { state: RepeatState; x: number }) {
  if (state === 'fail') return <path className={styles.fail} d={`M${x + 3} 3l6 6M${x + 9} 3l-6 6`} />
  const className = state === 'pass' ? styles.pass : state === 'scored' ? styles.scored : styles.unscored
  return <circle className={className} cx={x + STEP / 2} cy={STEP / 2} r={4} />
}
