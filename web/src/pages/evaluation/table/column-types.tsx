// The columns of the rows of an evaluation: one column type per kind.
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import type { Row } from '../../../results/cells.ts'
import { costMeasure, latencyMeasure } from '../../../results/measures.ts'
import { useLastDefined, useStable } from '../../../state/stable-values.ts'
import { type ColumnChoice, useColumnChoice } from '../../../table/columns/column-choice.ts'
import { type Column, type ColumnTypes, columnsOf } from '../../../table/columns/column-type.ts'
import { scenarioColumns } from '../../../table/columns/text-columns.tsx'
import { useIsNarrow } from '../../../ui/media.ts'
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
  const columns = names ? columnsOf(COLUMN_TYPES, names) : []
  const isNarrow = useIsNarrow()
  const defaultColumns = isNarrow ? columns.map(unpinned) : withPinnedInput(columns)
  const choice = useColumnChoice(defaultColumns, names, params.columns)
  const chosenColumns = useStable(isNarrow ? withEarlyInput(choice.chosenColumns) : choice.chosenColumns)
  return { ...choice, chosenColumns }
}

/** More results do not fit next to the texts, so that the table scrolls sideways. */
const MAX_PINNED_RESULTS = 6

/** With many results, only the first input stays in place, because rows are recognized by it. */
function withPinnedInput(columns: Column<Kind>[]): Column<Kind>[] {
  const input = columns.find(({ kind }) => kind === 'input')
  const results = columns.filter(({ kind }) => kind === 'result')
  if (!input || results.length <= MAX_PINNED_RESULTS) return columns
  return [{ ...input, isPinned: true }, ...columns.filter((column) => column !== input).map(unpinned)]
}

function unpinned(column: Column<Kind>): Column<Kind> {
  return { ...column, isPinned: false }
}

/** The columns that a narrow window shows without scrolling. */
const NARROW_COLUMNS = 3

/** Moves the first input so that a narrow window shows it, because rows are recognized by it. */
export function withEarlyInput(columns: Column<Kind>[]): Column<Kind>[] {
  const input = columns.find(({ kind }) => kind === 'input')
  if (!input || columns.indexOf(input) < NARROW_COLUMNS) return columns
  return columns.filter((column) => column !== input).toSpliced(NARROW_COLUMNS - 1, 0, input)
}
