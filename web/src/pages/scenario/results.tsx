// The result of each evaluator, its change against the baseline, and its reason.
import type { Ref } from 'react'
import { PlainText } from '../../content/plain-text.tsx'
import type { EvaluationState } from '../../evaluation-state/page-state.ts'
import { formatPercent } from '../../format/numbers.ts'
import { BreakableName } from '../../results/breakable-name.tsx'
import { formatFixed } from '../../results/evaluator-display.ts'
import type { Outcome } from '../../results/outcomes.ts'
import { OutcomeDelta, Verdict } from '../../results/verdict.tsx'
import { LongText } from '../../ui/truncation.tsx'
import styles from './results.module.css'
import type { ScenarioState } from './scenario-state.ts'

/** About 15 lines. */
const MAX_REASON_LENGTH = 600

interface ResultsProps {
  pageState: EvaluationState
  scenarioState: ScenarioState
  ref: Ref<HTMLElement>
}

export function Results({ pageState: { baselineId }, scenarioState, ref }: ResultsProps) {
  const { outcomes, baselineRow } = scenarioState
  return (
    <section ref={ref} tabIndex={-1} className={styles.column} aria-labelledby="scenario-results">
      <div className={styles.results}>
        <h3 id="scenario-results">Results</h3>
        {outcomes.length === 0 ? (
          <p className="muted">This scenario has no results.</p>
        ) : (
          <dl>
            {outcomes.map((outcome, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an evaluator can have several results
              <div key={index}>
                <dt>
                  <BreakableName name={outcome.evaluator} />
                </dt>
                <dd className={styles.verdict}>
                  <Verdict outcome={outcome} hasMessage={false} />{' '}
                  {outcome.delta !== 0 && <OutcomeDelta outcome={outcome} />}
                </dd>
                <Details outcome={outcome} />
              </div>
            ))}
          </dl>
        )}
        {baselineId !== undefined && baselineRow === null && (
          <p className="quiet">Baseline {baselineId} has no matching row.</p>
        )}
      </div>
    </section>
  )
}

function Details({ outcome }: { outcome: Outcome }) {
  const { reason, error } = outcome
  const ruleText = [baselineText(outcome), ...ruleTexts(outcome)].filter(Boolean).join(', ')
  return (
    <>
      {reason !== undefined && (
        <dd className={styles.reason} dir="auto">
          <LongText text={reason} maxLength={MAX_REASON_LENGTH} />
        </dd>
      )}
      {error && (
        <dd className={styles.reason} dir="auto">
          <LongText text={error.message} maxLength={MAX_REASON_LENGTH} />
        </dd>
      )}
      {ruleText !== '' && <dd className={styles.rule}>{ruleText}</dd>}
      {error?.stacktrace && (
        <dd className={styles.trace}>
          <details>
            <summary>Stack trace</summary>
            <PlainText text={error.stacktrace} isWrapped />
          </details>
        </dd>
      )}
    </>
  )
}

function baselineText({ baselineScore, isVerdict, display }: Outcome): string | undefined {
  if (baselineScore === undefined) return undefined
  return `baseline ${baselineLabel(baselineScore, isVerdict) ?? formatFixed(baselineScore, display)}`
}

/** The mean of several verdicts is a pass rate. */
function baselineLabel(score: number, isVerdict: boolean): string | undefined {
  if (!isVerdict) return undefined
  return score === 1 ? 'pass' : score === 0 ? 'fail' : `${formatPercent(score)} pass`
}

/** The threshold, and the direction if it is not the usual one. */
function ruleTexts({ display: { higherIsBetter, threshold }, state }: Outcome): string[] {
  if (state === 'labeled') return []
  return [
    ...(threshold === null ? [] : [`passes at ${higherIsBetter ? '≥' : '≤'} ${threshold}`]),
    ...(higherIsBetter ? [] : ['lower is better']),
  ]
}
