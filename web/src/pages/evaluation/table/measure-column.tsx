// Column types of latency and cost: the total of all outputs of a row. The header has a statistic of all rows and its change.
import type { EvaluationSummary } from 'assay-client'
import { outputTotal, type Row } from '../../../results/cells.ts'
import {
  columnDecimals,
  formatDifference,
  formatMeasure,
  type Measure,
  type Unit,
} from '../../../results/measures.ts'
import type { ColumnType } from '../../../table/columns/column-type.ts'
import { Delta } from '../../../ui/delta.tsx'
import type { EvaluationContext, Names } from './context.ts'

type Statistics = EvaluationSummary['latency']

interface MeasureColumn {
  name: 'latency' | 'cost'
  /** The unit of the cells. */
  unitLabel: string
  unit: Unit
  /** The statistic in the header, and its name. */
  aggregate: (statistics: Statistics) => Measure | undefined
  aggregateName: string
}

export function measureColumn(options: MeasureColumn): ColumnType<Row, Names, EvaluationContext> {
  const { name, unit, unitLabel, aggregate, aggregateName } = options
  return {
    label: name,
    columns: () => [{ key: name, name }],
    width: () => [112, 0],
    align: 'right',
    unit: unitLabel,
    value: (row) => outputTotal(row, name),
    cell: (row, _, { summary }) => {
      const total = outputTotal(row, name)
      if (total === undefined) return { className: 'quiet', content: '–' }
      const content = formatMeasure(unit, total, decimalsOf(unit, summary?.[name]))
      // Rows have the scores of all repeats, but the outputs of the first one.
      return row.repeats
        ? { className: 'quiet', content, title: `Repeat 1 of ${row.repeats.count}` }
        : { content }
    },
    header: (_, { summary }) => {
      const measure = summary && aggregate(summary[name])
      return measure && <MeasureAggregate measure={measure} name={aggregateName} />
    },
    sort: () => [name],
  }
}

/** The decimals of all cells. They follow from the whole column, not from the visible rows. */
function decimalsOf(unit: Unit, statistics: Statistics | undefined): number {
  const { p05, p50, p95 } = statistics?.quantiles ?? {}
  return columnDecimals(
    unit,
    [p05, p50, p95].filter((value) => typeof value === 'number'),
  )
}

interface MeasureAggregateProps {
  measure: Measure
  /** The name of the statistic, if the column does not say it: "p50". */
  name?: string
}

export function MeasureAggregate({ measure, name }: MeasureAggregateProps) {
  const { value, unit, higherIsBetter, change } = measure
  const difference = change?.difference
  return (
    <>
      {name && <span>{name}</span>}
      <strong>
        {formatMeasure(unit, value)}
        {unit === 'percent' && ' %'}
      </strong>
      {change && (difference !== undefined || change.direction !== 'tied') && (
        <Delta
          difference={difference ?? 0}
          higherIsBetter={higherIsBetter}
          direction={change.direction}
          format={difference === undefined ? undefined : (amount) => formatDifference(unit, amount)}
        />
      )}
    </>
  )
}
