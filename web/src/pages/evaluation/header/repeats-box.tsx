// The statistics of an evaluation with repeats: the pass rate with its interval, and the rows that pass every time or once.
import type { ReactNode } from 'react'
import { formatCount } from '../../../format/numbers.ts'
import { evaluatorMeasure, formatMeasure, formatWithUnit, type Unit } from '../../../results/measures.ts'
import type { EvaluatorSummary } from '../../../results/result-states.ts'
import styles from './repeats-box.module.css'

export function RepeatsBox({ evaluator }: { evaluator: EvaluatorSummary }) {
  const { repeats = 1, pass_rate, pass_rate_interval, pass_all = null, pass_any = null } = evaluator
  const mean = evaluatorMeasure(evaluator)
  if (!mean) return null
  // An evaluator with a threshold has both: its pass rate is what the other values are about.
  const [unit, value, interval]: [Unit, number, Interval] =
    pass_rate === null
      ? [mean.unit, mean.value, evaluator.mean_interval]
      : ['percent', pass_rate, pass_rate_interval]
  return (
    <dl className={styles.box} aria-label={`Statistics of ${evaluator.name}`}>
      <Statistic
        name={`${unit === 'percent' ? 'Pass rate' : 'Mean'}, mean of rows`}
        value={
          <>
            {formatWithUnit(unit, value)}
            {interval && <small> ± {formatMeasure(unit, halfWidth(interval))}</small>}
          </>
        }
        detail={interval && intervalText(unit, interval)}
      />
      {pass_all !== null && (
        <Statistic
          name={`pass^${formatCount(repeats)}`}
          value={formatWithUnit('percent', pass_all)}
          detail={`rows that pass ${formatCount(repeats)} of ${formatCount(repeats)} times`}
        />
      )}
      {pass_any !== null && (
        <Statistic
          name={`pass@${formatCount(repeats)}`}
          value={formatWithUnit('percent', pass_any)}
          detail="rows that pass at least once"
        />
      )}
    </dl>
  )
}

type Interval = [number, number] | null

function halfWidth([low, high]: [number, number]): number {
  return (high - low) / 2
}

/** "95 % interval, 74.9 to 87.9" */
function intervalText(unit: Unit, [low, high]: [number, number]): string {
  return `95 % interval, ${formatMeasure(unit, low)} to ${formatMeasure(unit, high)}`
}

function Statistic({ name, value, detail }: { name: string; value: ReactNode; detail: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={styles.value}>{value}</dd>
      <dd>{detail}</dd>
    </div>
  )
}
