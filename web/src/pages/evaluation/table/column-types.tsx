// The columns of the rows of an evaluation: one column type per kind.
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { formatDollars, formatSeconds } from '../../../format/numbers.ts'
import type { Row } from '../../../results/cells.ts'
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
  latency: measureColumn('latency', formatSeconds, ({ quantiles }) => ['p50', quantiles.p50]),
  cost: measureColumn('cost', formatDollars, ({ total }) => ['total', total]),
}

export function useColumns({ summary, params }: EvaluationState, firstNames?: Names): ColumnChoice<Kind> {
  const names = useStable(useLastDefined(summary)?.columns ?? firstNames)
  return useColumnChoice(names ? columnsOf(COLUMN_TYPES, names) : [], names, params.columns)
}
