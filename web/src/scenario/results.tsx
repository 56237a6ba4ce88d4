// What each evaluator said, why, and what it said of the same row in the baseline.
import type { Shown } from '../evaluation/shown.ts'
import { score } from '../format/numbers.ts'
import { PlainText } from './content.tsx'
import type { Opened } from './opened.ts'
import type { Reading } from './readings.ts'
import styles from './results.module.css'
import { ReadingDelta, Verdict } from './verdict.tsx'

interface ResultsProps {
  shown: Shown
  opened: Opened
  /** With thresholds and stack traces. */
  isWhole?: boolean
  onBaseline: () => void
}

export function Results({ shown, opened, isWhole = false, onBaseline }: ResultsProps) {
  const { readings, base, output } = opened
  return (
    <section className={isWhole ? styles.whole : styles.results} aria-labelledby="scenario-results">
      <h3 id="scenario-results" className={isWhole ? 'unseen' : styles.label}>
        Results
      </h3>
      {readings.length === 0 ? (
        <p className="soft">No evaluator has looked at this scenario.</p>
      ) : (
        <dl>
          {readings.map((reading, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an evaluator may have said several things
            <div key={index}>
              <dt>
                <bdi>{reading.evaluator}</bdi>
                {isWhole && <Rule reading={reading} />}
              </dt>
              <dd>
                <Verdict reading={reading} />
                <Beside reading={reading} base={shown.base} />
                {reading.reason !== undefined && <bdi className={styles.reason}>{reading.reason}</bdi>}
                {isWhole && reading.error?.stacktrace && (
                  <details>
                    <summary>Stack trace</summary>
                    <PlainText text={reading.error.stacktrace} isWrapped />
                  </details>
                )}
              </dd>
            </div>
          ))}
        </dl>
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

/** Which way is better, and where a number passes. */
function Rule({ reading: { higherIsBetter, threshold, state } }: { reading: Reading }) {
  if (state === 'labelled') return null
  return (
    <span className={styles.rule}>
      {higherIsBetter ? 'higher is better' : 'lower is better'}
      {threshold !== undefined && `, passes at ${higherIsBetter ? '≥' : '≤'} ${threshold}`}
    </span>
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
