// What each evaluator said, why, and what it said of the same row in the baseline.

import { PlainText } from '../content/content.tsx'
import type { Shown } from '../evaluation/shown.ts'
import { score } from '../format/numbers.ts'
import { LongText } from '../parts/long-text.tsx'
import type { Opened } from './opened.ts'
import type { Outcome } from './outcomes.ts'
import styles from './results.module.css'
import { OutcomeDelta, Verdict } from './verdict.tsx'

interface ResultsProps {
  shown: Shown
  opened: Opened
  /** With thresholds and stack traces. */
  isWhole?: boolean
  onBaseline: () => void
}

export function Results({ shown, opened, isWhole = false, onBaseline }: ResultsProps) {
  const { outcomes, base, output } = opened
  return (
    <section className={isWhole ? styles.whole : styles.results} aria-labelledby="scenario-results">
      <h3 id="scenario-results" className={isWhole ? 'unseen' : styles.label}>
        Results
      </h3>
      {outcomes.length === 0 ? (
        <p className="soft">No evaluator has looked at this scenario.</p>
      ) : (
        <dl>
          {outcomes.map((outcome, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an evaluator may have said several things
            <div key={index}>
              <dt>
                <bdi>{outcome.evaluator}</bdi>
                {isWhole && <Rule outcome={outcome} />}
              </dt>
              <dd>
                <Verdict outcome={outcome} />
                <Beside outcome={outcome} base={shown.base} />
                {outcome.reason !== undefined && (
                  <bdi className={styles.reason}>
                    <LongText text={outcome.reason} />
                  </bdi>
                )}
                {isWhole && outcome.error?.stacktrace && (
                  <details>
                    <summary>Stack trace</summary>
                    <PlainText text={outcome.error.stacktrace} isWrapped />
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
function Rule({ outcome: { rule, state } }: { outcome: Outcome }) {
  const { higherIsBetter, threshold } = rule
  if (state === 'labelled') return null
  return (
    <span className={styles.rule}>
      {higherIsBetter ? 'higher is better' : 'lower is better'}
      {threshold !== null && `, passes at ${higherIsBetter ? '≥' : '≤'} ${threshold}`}
    </span>
  )
}

function Beside({ outcome, base }: { outcome: Outcome; base: string | undefined }) {
  if (outcome.base === undefined) return null
  const was = !outcome.isVerdict ? score(outcome.base) : outcome.base === 1 ? '✓ pass' : '✗ fail'
  return (
    <span title={`In the baseline ${base}`}>
      <span className="soft">baseline {was}</span> <OutcomeDelta outcome={outcome} />
    </span>
  )
}
