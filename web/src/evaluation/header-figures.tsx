// What the header of a column says of all rows: the aggregate, how far it is from the baseline, and how many rows got worse or better.
import type { EvaluationSummary } from 'assay-client'
import { count, dollars, percent, points, score, seconds } from '../format/numbers.ts'
import styles from '../grid/grid.module.css'
import { Delta } from '../parts/delta.tsx'
import type { Column } from './columns.ts'
import type { EvaluatorSummary } from './states.ts'

export function ColumnFigure({
  column,
  summary,
  decimals,
}: {
  column: Column
  summary: EvaluationSummary
  decimals: number
}) {
  if (column.kind === 'latency' || column.kind === 'cost') {
    return <MeasureFigure kind={column.kind} figures={summary[column.kind]} />
  }
  if (column.kind !== 'result') return column.kind === column.name ? null : column.kind
  const evaluator = summary.evaluators.find(({ name }) => name === column.name)
  return evaluator ? <EvaluatorFigure evaluator={evaluator} decimals={decimals} /> : null
}

function EvaluatorFigure({ evaluator, decimals }: { evaluator: EvaluatorSummary; decimals: number }) {
  const { pass_rate, mean, threshold, texts, base, higher_is_better } = evaluator
  if (pass_rate === null && mean === null) return texts > 0 ? <>{count(texts)} labels</> : <>no result</>
  // Against a threshold the pass rate is one thing, and the difference of the scores another.
  const isShare = pass_rate !== null && threshold === null
  return (
    <>
      <strong>{pass_rate === null ? score(mean ?? 0, decimals) : percent(pass_rate)}</strong>
      {typeof base?.delta === 'number' && (
        <>
          {' '}
          <Delta
            value={base.delta}
            higherIsBetter={higher_is_better}
            outcome={base.outcome}
            format={isShare ? points : (by) => score(by, decimals)}
          />
          {pass_rate !== null && !isShare && ' mean'}
        </>
      )}
    </>
  )
}

type Measure = 'latency' | 'cost'

/** Of latency the median, of cost the total. */
function MeasureFigure({ kind, figures }: { kind: Measure; figures: EvaluationSummary[Measure] }) {
  const figure = kind === 'cost' ? figures.total : figures.quantiles.p50
  if (figure === null) return null
  return (
    <>
      {kind === 'cost' ? 'total ' : 'p50 '}
      <strong>{formatOf(kind)(figure)}</strong>
    </>
  )
}

/** How far its mean is from that of the baseline, as a part of it. */
export function MeasureChange({ kind, figures }: { kind: Measure; figures: EvaluationSummary[Measure] }) {
  const { delta, mean, outcome } = figures.base ?? {}
  if (typeof delta !== 'number') return null
  const format = (by: number) => (mean ? percent(by / mean) : formatOf(kind)(by))
  return <Delta value={delta} higherIsBetter={false} outcome={outcome} format={format} />
}

function formatOf(kind: Measure): (value: number) => string {
  return kind === 'cost' ? dollars : seconds
}

interface ChangeCountsProps {
  evaluator: EvaluatorSummary
  /** Keeps the rows whose score is on one side of the baseline's. */
  onPick: (side: 'lt.0' | 'gt.0') => void
}

export function ChangeCounts({ evaluator, onPick }: ChangeCountsProps) {
  const { base, name, higher_is_better } = evaluator
  if (!base?.n) return null
  const sides = [
    ['worse', '▼', base.regressed, higher_is_better ? 'lt.0' : 'gt.0'],
    ['better', '▲', base.improved, higher_is_better ? 'gt.0' : 'lt.0'],
  ] as const
  return sides.map(([word, arrow, rows, side]) => (
    <button
      key={word}
      type="button"
      data-stop=""
      className={`plain ${styles.changed} ${word}`}
      aria-label={`${count(rows)} rows are ${word} than the baseline on ${name}: show them`}
      title={`Show the rows that are ${word} than the baseline`}
      onClick={() => onPick(side)}
    >
      {arrow}
      {count(rows)}
    </button>
  ))
}
