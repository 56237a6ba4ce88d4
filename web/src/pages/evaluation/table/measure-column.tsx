// Column types of latency and cost: the total of all outputs, and its change from the baseline.
import type { EvaluationSummary } from 'assay-client'
import { formatPercent } from '../../../format/numbers.ts'
import { outputTotal, type Row } from '../../../results/cells.ts'
import type { ColumnType } from '../../../table/columns/column-type.ts'
import { Delta } from '../../../ui/delta.tsx'
import type { EvaluationContext, Names } from './context.ts'

type Measure = 'latency' | 'cost'

/** `aggregate` returns the name and the value of the statistic in the header. */
export function measureColumn(
  measure: Measure,
  format: (value: number) => string,
  aggregate: (summary: EvaluationSummary[Measure]) => [name: string, value: number | null],
): ColumnType<Row, Names, EvaluationContext> {
  return {
    label: measure,
    columns: () => [{ key: measure, name: measure }],
    width: () => [108, 0],
    align: 'right',
    value: (row) => outputTotal(row, measure),
    cell: (row) => {
      const total = outputTotal(row, measure)
      return { content: total === undefined ? '–' : format(total) }
    },
    header: (_, { summary }) => {
      const [name, value] = summary ? aggregate(summary[measure]) : ['', null]
      return (
        value !== null && (
          <>
            {name} <strong>{format(value)}</strong>
          </>
        )
      )
    },
    /** The relative difference of the mean to the baseline. */
    changes: (_, { summary }) => {
      const { delta, mean, outcome } = summary?.[measure].base ?? {}
      if (typeof delta !== 'number') return null
      const formatChange = (change: number) => (mean ? formatPercent(change / mean) : format(change))
      return <Delta difference={delta} higherIsBetter={false} direction={outcome} format={formatChange} />
    },
    sort: () => [measure],
  }
}
