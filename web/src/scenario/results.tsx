// What each evaluator said, why, and what it said of the same row in the baseline.
import type { Shown } from '../evaluation/shown.ts'
import { score } from '../format/numbers.ts'
import { PlainText } from './content.tsx'
import type { Opened } from './opened.ts'
import type { Reading } from './readings.ts'
import styles from './scenario.module.css'
import { ReadingDelta, Verdict } from './state-line.tsx'

interface ResultsProps {
  shown: Shown
  opened: Opened
  /** With thresholds and stack traces. */
  isWhole?: boolean
  onBaseline: () => void
}

export function Results({
  shown,
  opened: { readings, base, output },
  isWhole = false,
  onBaseline,
}: ResultsProps) {
  return (
    <section className={isWhole ? styles.allResults : styles.results} aria-labelledby="scenario-results">
      <h3 id="scenario-results" className={styles.label}>
        Results
      </h3>
      {readings.length === 0 ? (
        <p className="soft">No evaluator has looked at this scenario.</p>
      ) : (
        <table>
          <thead className="unseen">
            <tr>
              <th scope="col">Evaluator</th>
              <th scope="col">Result</th>
              <th scope="col">Beside the baseline</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {readings.map((reading, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an evaluator may have said several things
              <ResultRow key={index} reading={reading} base={shown.base} isWhole={isWhole} />
            ))}
          </tbody>
        </table>
      )}
      {shown.base !== undefined && base === null && (
        <p className="soft">The baseline {shown.base} has no row for this scenario.</p>
      )}
      {base && output && (
        <button type="button" className={styles.baseline} onClick={onBaseline}>
          Show baseline output
        </button>
      )}
    </section>
  )
}

function ResultRow({
  reading,
  base,
  isWhole,
}: {
  reading: Reading
  base: string | undefined
  isWhole: boolean
}) {
  const { evaluator, threshold, higherIsBetter, error, reason } = reading
  return (
    <tr>
      <th scope="row">
        <bdi>{evaluator}</bdi>
        {isWhole && (
          <span className={styles.rule}>
            {higherIsBetter ? 'higher is better' : 'lower is better'}
            {threshold !== undefined && `, passes at ${higherIsBetter ? '≥' : '≤'} ${threshold}`}
          </span>
        )}
      </th>
      <td>
        <Verdict reading={reading} />
      </td>
      <td>
        <Beside reading={reading} base={base} />
      </td>
      <td className={styles.reason}>
        {reason !== undefined && <bdi>{reason}</bdi>}
        {isWhole && error?.stacktrace && (
          <details>
            <summary>Stack trace</summary>
            <PlainText text={error.stacktrace} isWrapped />
          </details>
        )}
      </td>
    </tr>
  )
}

function Beside({ reading, base }: { reading: Reading; base: string | undefined }) {
  if (reading.base === undefined) return null
  const was = !reading.isVerdict ? score(reading.base) : reading.base === 1 ? '✓ pass' : '✗ fail'
  return (
    <span title={`In the baseline ${base}`}>
      <span className="soft">baseline {was}</span> <ReadingDelta reading={reading} />
    </span>
  )
}
