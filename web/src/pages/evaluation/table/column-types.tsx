// The columns of the rows of an evaluation: one column type per kind.
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import type { Row } from '../../../results/cells.ts'
import { costMeasure, latencyMeasure } from '../../../results/measures.ts'
import { useLastDefined, useStable } from '../../../state/stable-values.ts'
import { type ColumnChoice, useColumnChoice } from '../../../table/columns/column-choice.ts'
import { type ColumnTypes, columnsOf } from '../../../table/columns/column-type.ts'
import { scenarioColumns } from '../../../table/columns/text-columns.tsx'
import type { EvaluationContext, Names } from './context.ts'
import { measureColumn } from './measure-column.tsx'
import { resultColumn } from './result-column.tsx'

export type Kind = 'result' | 'input' | 'output' | 'expected' | 'latency' | 'cost'

/**
 * To add a kind, add its name to `Kind` and its column type here; the compiler reports what is missing. The order of the
 * types is the default order of the columns.
 */
export const COLUMN_TYPES: ColumnTypes<Kind, Row, Names, EvaluationContext> = {
  result: resultColumn,
  ...scenarioColumns<Row, EvaluationContext>((row) => row),
  latency: measureColumn({
    name: 'latency',
    unit: 'seconds',
    unitLabel: 's',
    aggregateName: 'p50',
    aggregate: ({ quantiles: { p50 }, base }) => latencyMeasure({ p50, base }),
  }),
  cost: measureColumn({
    name: 'cost',
    unit: 'dollars',
    unitLabel: '$',
    aggregateName: 'total',
    aggregate: costMeasure,
  }),
}

export function useColumns({ summary, params }: EvaluationState, firstNames?: Names): ColumnChoice<Kind> {
  const names = useStable(useLastDefined(summary)?.columns ?? firstNames)
  return useColumnChoice(names ? columnsOf(COLUMN_TYPES, names) : [], names, params.columns)
}
