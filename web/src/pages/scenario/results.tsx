// The result of each evaluator, its explanation, and the result of the matched row in the baseline.

import { PlainText } from '../../content/plain-text.tsx'
import type { EvaluationState } from '../../evaluation-state/page-state.ts'
import { formatScore } from '../../format/numbers.ts'
import type { Outcome } from '../../results/outcomes.ts'
import { OutcomeDelta, Verdict } from '../../results/verdict.tsx'
import { Button } from '../../ui/button.tsx'
import { LongText } from '../../ui/truncation.tsx'
import styles from './results.module.css'
import type { ScenarioState } from './scenario-state.ts'

interface ResultsProps {
  pageState: EvaluationState
  scenarioState: ScenarioState
  /** Also shows thresholds and stack traces. */
  isDetailed?: boolean
  onShowBaseline: () => void
}

export function Results({ pageState, scenarioState, isDetailed = false, onShowBaseline }: ResultsProps) {
  const { outcomes, baselineRow, output } = scenarioState
  return (
    <section className={isDetailed ? styles.detailed : styles.results} aria-labelledby="scenario-results">
      <h3 id="scenario-results" className={isDetailed ? 'sr-only' : styles.label}>
        Results
      </h3>
      {outcomes.length === 0 ? (
        <p className="muted">This scenario has no results.</p>
      ) : (
        <dl>
          {outcomes.map((outcome, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an evaluator can have several results
            <div key={index}>
              <dt>
                <bdi>{outcome.evaluator}</bdi>
                {isDetailed && <RuleText outcome={outcome} />}
              </dt>
              <dd>
                <span className={styles.verdict}>
                  <Verdict outcome={outcome} />
                </span>
                <BaselineScore outcome={outcome} baselineId={pageState.baselineId} />
                {outcome.reason !== undefined && (
                  <bdi className={styles.reason}>
                    <LongText text={outcome.reason} />
                  </bdi>
                )}
                {isDetailed && outcome.error?.stacktrace && (
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
      {pageState.baselineId !== undefined && baselineRow === null && (
        <p className="muted">Baseline {pageState.baselineId} has no matching row.</p>
      )}
      {baselineRow && output && (
        <Button size="small" className={styles.baseline} onClick={onShowBaseline}>
          Show baseline output
        </Button>
      )}
    </section>
  )
}

/** The direction and the threshold of an evaluator. */
function RuleText({ outcome: { rule, state } }: { outcome: Outcome }) {
  const { higherIsBetter, threshold } = rule
  if (state === 'labeled') return null
  return (
    <span className={styles.rule}>
      {higherIsBetter ? 'higher is better' : 'lower is better'}
      {threshold !== null && `, passes at ${higherIsBetter ? '≥' : '≤'} ${threshold}`}
    </span>
  )
}

function BaselineScore({ outcome, baselineId }: { outcome: Outcome; baselineId: string | undefined }) {
  if (outcome.baselineScore === undefined) return null
  const text = !outcome.isVerdict
    ? formatScore(outcome.baselineScore)
    : outcome.baselineScore === 1
      ? 'pass'
      : 'fail'
  return (
    <span className={styles.baselineScore}>
      <span className={styles.baselineText} data-tooltip={`Baseline ${baselineId}`}>
        baseline {text}
      </span>{' '}
      <OutcomeDelta outcome={outcome} />
    </span>
  )
}
