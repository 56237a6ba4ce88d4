// The statistics in a column header: the aggregate, its difference to the baseline, and the regressed and improved rows.
import type { EvaluationSummary } from 'assay-client'
import {
  formatCount,
  formatDollars,
  formatPercent,
  formatPoints,
  formatScore,
  formatSeconds,
} from '../../../format/numbers.ts'
import type { EvaluatorSummary } from '../../../results/result-states.ts'
import styles from '../../../table/table.module.css'
import { Delta } from '../../../ui/delta.tsx'
import type { Column } from './columns.ts'

export function ColumnStatistic({
  column,
  summary,
  decimals,
}: {
  column: Column
  summary: EvaluationSummary
  decimals: number
}) {
  if (column.kind === 'latency' || column.kind === 'cost') {
    return <MeasureStatistic kind={column.kind} summary={summary[column.kind]} />
  }
  if (column.kind !== 'result') return column.kind === column.name ? null : column.kind
  const evaluator = summary.evaluators.find(({ name }) => name === column.name)
  return evaluator ? <EvaluatorStatistic evaluator={evaluator} decimals={decimals} /> : null
}

function EvaluatorStatistic({ evaluator, decimals }: { evaluator: EvaluatorSummary; decimals: number }) {
  const { pass_rate, mean, threshold, texts, base, higher_is_better } = evaluator
  if (pass_rate === null && mean === null)
    return texts > 0 ? <>{formatCount(texts)} labels</> : <>no results</>
  // With a threshold, the pass rate and the difference of the scores have different units.
  const isDeltaOfPassRate = pass_rate !== null && threshold === null
  return (
    <>
      <strong>{pass_rate === null ? formatScore(mean ?? 0, decimals) : formatPercent(pass_rate)}</strong>
      {typeof base?.delta === 'number' && (
        <>
          {' '}
          <Delta
            difference={base.delta}
            higherIsBetter={higher_is_better}
            direction={base.outcome}
            format={isDeltaOfPassRate ? formatPoints : (delta) => formatScore(delta, decimals)}
          />
          {pass_rate !== null && !isDeltaOfPassRate && ' mean'}
        </>
      )}
    </>
  )
}

type Measure = 'latency' | 'cost'

/** The median latency, or the total cost. */
function MeasureStatistic({ kind, summary }: { kind: Measure; summary: EvaluationSummary[Measure] }) {
  const value = kind === 'cost' ? summary.total : summary.quantiles.p50
  if (value === null) return null
  return (
    <>
      {kind === 'cost' ? 'total ' : 'p50 '}
      <strong>{formatOf(kind)(value)}</strong>
    </>
  )
}

/** The relative difference of the mean to the baseline. */
export function MeasureChange({ kind, summary }: { kind: Measure; summary: EvaluationSummary[Measure] }) {
  const { delta, mean, outcome } = summary.base ?? {}
  if (typeof delta !== 'number') return null
  const format = (change: number) => (mean ? formatPercent(change / mean) : formatOf(kind)(change))
  return <Delta difference={delta} higherIsBetter={false} direction={outcome} format={format} />
}

function formatOf(kind: Measure): (value: number) => string {
  return kind === 'cost' ? formatDollars : formatSeconds
}

interface ChangeCountsProps {
  evaluator: EvaluatorSummary
  /** Filters by rows whose score is below or above the baseline. */
  onPick: (side: 'lt.0' | 'gt.0') => void
}

export function ChangeCounts({ evaluator, onPick }: ChangeCountsProps) {
  const { base, name, higher_is_better } = evaluator
  if (!base?.n) return null
  const sides = [
    ['worse', 'regressed', '▼', base.regressed, higher_is_better ? 'lt.0' : 'gt.0'],
    ['better', 'improved', '▲', base.improved, higher_is_better ? 'gt.0' : 'lt.0'],
  ] as const
  return sides.map(([className, change, arrow, rows, side]) => (
    <button
      key={side}
      type="button"
      data-stop=""
      className={`plain ${styles.changeCount} ${className}`}
      aria-label={`Show ${formatCount(rows)} rows that ${change} on ${name}`}
      title={`Show rows that ${change}`}
      onClick={() => onPick(side)}
    >
      {arrow}
      {formatCount(rows)}
    </button>
  ))
}
