// Virtualized table of the joined rows, with its footer.
import type { ComparisonRows } from 'assay-client'
import { type KeyboardEvent, useMemo } from 'react'
import { useEvaluatorDisplays } from '../../../results/evaluator-display.ts'
import { useChangePreference } from '../../../state/row-params.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { useStable } from '../../../state/stable-values.ts'
import { columnLayout } from '../../../table/columns/column-layout.ts'
import { useColumnShapes } from '../../../table/columns/column-shapes.ts'
import type { DisplayedQuery } from '../../../table/displayed-query.ts'
import { Footer } from '../../../table/footer.tsx'
import { useLatestRequest } from '../../../table/latest-request.ts'
import { useNextMatch } from '../../../table/next-match.ts'
import { useOpenRow } from '../../../table/open-row.ts'
import { type Table, useTable } from '../../../table/table.ts'
import { useTableShortcuts } from '../../../table/table-shortcuts.ts'
import { VirtualTable } from '../../../table/virtual-table.tsx'
import { evaluationName } from '../evaluation-links.ts'
import { regressionsIn } from '../next-regression.ts'
import { type ComparisonState, isHigherBetter } from '../page-state.ts'
import { positionQuery, type RowQuery, windowQuery } from '../queries.ts'
import { classLabel, pairNames } from '../row-classes.ts'
import { type JoinedRow, rowRefOf } from '../row-data.ts'
import { type RowRef, rowSearchParams } from '../search-params.ts'
import { shapeOf, sizesOf } from './column-layout.ts'
import { useColumns } from './columns.ts'
import { TableHeader } from './table-header.tsx'
import { TableRow } from './table-row.tsx'

const HEADER_HEIGHT = 44

interface RowsTableProps {
  state: ComparisonState
  displayed: DisplayedQuery<RowQuery, ComparisonRows>
  /** True while the rows of the next query are loading. */
  isBusy: boolean
}

export function RowsTable({ state, displayed, isBusy }: RowsTableProps) {
  const { params, comparison } = state
  const { query, first } = displayed
  const evaluator = first.on ?? undefined
  const higherIsBetter = isHigherBetter(state, evaluator)
  const columns = useColumns(state).chosenColumns
  const table = useTable({
    query,
    total: first.total,
    windowQuery: (index) => windowQuery(query, index),
    density: params.density,
    headerHeight: HEADER_HEIGHT,
  })
  const { total, rowAt } = table.windows
  const { visibleRange, width } = table.scroll
  const { open, onKeyDown } = useRowActions(state, query, table)
  useOpenRow(table, {
    rowKey: keyOf(params.row),
    keyOf: (row: JoinedRow) => keyOf(rowRefOf(row)),
    query,
    positionQuery: positionQuery(query, params.row ?? { id: '', side: 'base' }),
  })
  const shapes = useColumnShapes(columns, rowAt, shapeOf)
  const scenarios = Math.max(
    ...(comparison?.evaluations ?? []).map(({ scenario_count }) => scenario_count),
    total,
  )
  const layout = useMemo(
    () => columnLayout(sizesOf(columns, shapes, evaluator), { scenarios, width }),
    [columns, shapes, evaluator, scenarios, width],
  )
  const names = useStable(params.evaluations.map((id) => evaluationName(comparison, id)))
  const [baseline, candidate] = pairNames(state)
  const displays = useEvaluatorDisplays([{ name: evaluator ?? '', higher_is_better: higherIsBetter }])
  const display = displays[evaluator ?? '']
  const sortState = useStable({ show: query.show, order: query.order, evaluator, higherIsBetter })
  return (
    <>
      <VirtualTable
        table={table}
        layout={layout}
        columns={columns.length}
        isBusy={isBusy}
        header={
          <TableHeader
            sortState={sortState}
            columns={columns}
            stickyOffsets={layout.stickyOffsets}
            shapes={shapes}
          />
        }
        renderRow={(index, row, focusedColumn) =>
          display && (
            <TableRow
              key={index}
              index={index}
              row={row}
              columns={columns}
              stickyOffsets={layout.stickyOffsets}
              columnShapes={shapes}
              evaluator={evaluator}
              names={names}
              display={display}
              focusedColumn={focusedColumn}
              isOpen={
                row !== undefined && params.row !== undefined && keyOf(rowRefOf(row)) === keyOf(params.row)
              }
            />
          )
        }
        onOpen={open}
        onKeyDown={onKeyDown}
      />
      <Footer
        visibleRange={visibleRange}
        total={total}
        suffix={
          <>
            {' '}
            <bdi>{classLabel(query.show, evaluator)}</bdi> (<bdi>{candidate}</bdi> vs <bdi>{baseline}</bdi>)
          </>
        }
        matchName="regression"
      />
    </>
  )
}

/** Actions of the table: opens rows by click or key, and handles the keyboard shortcuts. */
function useRowActions(state: ComparisonState, query: RowQuery, table: Table<JoinedRow>) {
  const changeParams = useChangeSearchParams()
  const prefer = useChangePreference()
  const { rowAt, fetchRow } = table.windows
  const beginRequest = useLatestRequest(keyOf(state.params.row))
  const openRow = async (index: number) => {
    const isLatest = beginRequest()
    const row = rowAt(index) ?? (await fetchRow(index))
    const rowRef = row && rowRefOf(row)
    if (!rowRef || !isLatest()) return
    changeParams(rowSearchParams(rowRef))
  }
  const goToNextMatch = useNextMatch(table, regressionsIn(query))
  const onKeyDown: (event: KeyboardEvent) => void = useTableShortcuts(table, {
    open: openRow,
    goToNextMatch,
    changeDensity: (density) => prefer('density', density),
  })
  return { open: openRow, onKeyDown }
}

function keyOf(row: RowRef | undefined): string | undefined {
  return row && `${row.side} ${row.id}`
}
