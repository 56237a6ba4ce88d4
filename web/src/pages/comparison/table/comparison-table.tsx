// The table of joined rows.
import type { ComparisonRows } from 'assay-client'
import { useMemo } from 'react'
import { useEvaluatorDisplays } from '../../../results/evaluator-display.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { useStable } from '../../../state/stable-values.ts'
import { useCellFilter } from '../../../table/columns/cell-filter.ts'
import { useVaryingColumns } from '../../../table/columns/column-choice.ts'
import { currentOrder } from '../../../table/columns/sort-order.ts'
import { RowsTable } from '../../../table/rows-table.tsx'
import { type DisplayedRows, TableSection } from '../../../table/table-section.tsx'
import { useIsPrinting } from '../../../ui/media.ts'
import { shortName } from '../evaluation-links.ts'
import { type ComparisonState, isHigherBetter } from '../page-state.ts'
import { comparisonRows, type JoinedRow, type RowQuery, regressionsIn } from '../queries.ts'
import { classLabel } from '../row-classes.ts'
import { type RowRef, rowSearchParams } from '../search-params.ts'
import { COLUMN_TYPES, useColumns } from './column-types.tsx'
import { type ComparisonContext, scenarioAt } from './context.ts'
import { NoRows } from './no-rows.tsx'
import { PrintedRows } from './printed-rows.tsx'
import { defaultOrder, orderLabel } from './sort-order.ts'

type Displayed = DisplayedRows<RowQuery, JoinedRow, RowRef, ComparisonRows>

export function ComparisonTable({ state }: { state: ComparisonState }) {
  const { query, comparison } = state
  // Unknown names are removed once the comparison is loaded. A query without names does not have to wait for it.
  const hasNoNames = query.filters.length === 0 && query.order === undefined && query.on === undefined
  return (
    <TableSection
      query={query}
      sourceOf={comparisonRows}
      isReady={hasNoNames || comparison !== undefined}
      scenarios={comparison?.evaluations[0]?.row_count}
      orderLabel={({ query, first }) => orderLabel(sortStateOf(state, query, first))}
      renderTable={(displayed, isBusy) => <JoinedRows state={state} displayed={displayed} isBusy={isBusy} />}
      renderEmpty={({ query, first }) => <NoRows state={state} query={query} response={first} />}
    />
  )
}

/** The sort order of the displayed rows. */
function sortStateOf(state: ComparisonState, { show, order }: RowQuery, { on }: ComparisonRows) {
  const evaluator = on ?? undefined
  return { show, order, evaluator, higherIsBetter: isHigherBetter(state, evaluator) }
}

function JoinedRows({
  state,
  displayed,
  isBusy,
}: {
  state: ComparisonState
  displayed: Displayed
  isBusy: boolean
}) {
  const { params, comparison } = state
  const { query, source, first } = displayed
  const sortState = sortStateOf(state, query, first)
  const { evaluator, higherIsBetter } = sortState
  const names = useStable(params.evaluations.map((id) => shortName(comparison, id)))
  const evaluators = useMemo(
    () =>
      comparison?.candidates[0]?.evaluators ?? [{ name: evaluator ?? '', higher_is_better: higherIsBetter }],
    [comparison, evaluator, higherIsBetter],
  )
  const candidateRows = useMemo(
    () => first.rows.flatMap(({ candidates }) => candidates[0]?.row ?? []),
    [first.rows],
  )
  const displays = useEvaluatorDisplays(evaluators, candidateRows)
  const context = useMemo(
    (): ComparisonContext => ({ evaluator, displays, names, output: 1 }),
    [evaluator, displays, names],
  )
  const columns = useColumns(state)
  const visibleColumns = useVaryingColumns(columns.chosenColumns, query.filters)
  const changeParams = useChangeSearchParams()
  const [baseline = '', candidate = ''] = names
  const isPrinting = useIsPrinting()
  const table = (
    <RowsTable
      source={source}
      total={first.total}
      scenarios={Math.max(
        ...(comparison?.evaluations ?? []).map(({ scenario_count }) => scenario_count),
        first.total,
      )}
      isBusy={isBusy}
      types={COLUMN_TYPES}
      columns={visibleColumns}
      onResize={columns.resize}
      context={context}
      rowNumber={rowNumber}
      density={params.density}
      headerHeight={32}
      order={currentOrder(query.order, defaultOrder(sortState))}
      defaultOrder={defaultOrder(sortState)}
      openRow={params.row}
      onOpen={(row) => changeParams(rowSearchParams(row))}
      match={{
        noun: 'regression',
        isMatch: ({ candidates }) => candidates[0]?.class === 'regressed',
        matches: regressionsIn(query),
      }}
      rowShortcuts={useCellFilter(visibleColumns, (row: JoinedRow) => scenarioAt(row, undefined))}
      numberedRows={{ evaluation: query.evaluations[0] ?? '', refOf: baselineRow }}
      keyHints={
        <span>
          <kbd>b</kbd> break down
        </span>
      }
      footer={() => (
        <>
          {' '}
          <bdi>{classLabel(query.show, evaluator)}</bdi> (<bdi>{candidate}</bdi> vs <bdi>{baseline}</bdi>)
        </>
      )}
    />
  )
  if (!isPrinting) return table
  return <PrintedRows query={query} response={first} columns={columns.chosenColumns} context={context} />
}

/** Row numbers are those of the baseline. */
function baselineRow(id: string): RowRef {
  return { id, side: 'base' }
}

/** The number of the row in the baseline, or in the first candidate if the baseline does not have it. */
function rowNumber({ base, candidates }: JoinedRow, { names }: ComparisonContext) {
  if (base) return base.position + 1
  const number = (candidates[0]?.row?.position ?? 0) + 1
  return <i data-tooltip={`Row ${number} of ${names[1]}`}>{number}</i>
}
