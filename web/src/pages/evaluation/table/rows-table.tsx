// The table of rows: layout, keyboard shortcuts and the open row.
import type { EvaluationSummary, Rows } from 'assay-client'
import { useMemo, useState } from 'react'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { takePendingFocus } from '../../../evaluation-state/pending-focus.ts'
import { formatCount } from '../../../format/numbers.ts'
import { positionQuery, type RowQuery, windowQuery } from '../../../queries/evaluations.ts'
import { useEvaluatorDisplays } from '../../../results/evaluator-display.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import type { ColumnChoice } from '../../../table/columns/column-choice.ts'
import { useColumnShapes } from '../../../table/columns/column-shapes.ts'
import type { DisplayedQuery } from '../../../table/displayed-query.ts'
import { Footer } from '../../../table/footer.tsx'
import { useLatestRequest } from '../../../table/latest-request.ts'
import { useOpenRow } from '../../../table/open-row.ts'
import { useTable } from '../../../table/table.ts'
import { VirtualTable } from '../../../table/virtual-table.tsx'
import { layoutOf, shapeOf } from './column-layout.ts'
import type { Column } from './columns.ts'
import { useRowShortcuts } from './row-shortcuts.ts'
import { TableHeader } from './table-header.tsx'
import { TableRow } from './table-row.tsx'

const HEADER_HEIGHT = 60

interface RowsTableProps {
  pageState: EvaluationState
  /** Undefined while it is loading. */
  summary: EvaluationSummary | undefined
  displayed: DisplayedQuery<RowQuery, Rows>
  /** Whether rows of another query are loading. */
  isBusy: boolean
  choice: ColumnChoice<Column>
}

export function RowsTable({ pageState, summary, displayed, isBusy, choice }: RowsTableProps) {
  const { id, params } = pageState
  const { query, first } = displayed
  const columns = choice.chosenColumns
  const table = useTable({
    query,
    total: first.total,
    windowQuery: (index) => windowQuery(id, query, index),
    density: params.density,
    headerHeight: HEADER_HEIGHT,
  })
  const { total, rowAt, fetchRow } = table.windows
  const { visibleRange, width } = table.scroll
  const displays = useEvaluatorDisplays(summary?.evaluators ?? pageState.evaluation?.evaluators ?? [])
  const changeParams = useChangeSearchParams()
  const beginTurn = useLatestRequest(params.row)
  const openRow = async (index: number) => {
    const isMyTurn = beginTurn()
    const row = rowAt(index) ?? (await fetchRow(index))
    if (row && isMyTurn()) changeParams({ row: row.id })
  }
  // Returning from a scenario page focuses its row.
  const [pendingRow, setPendingRow] = useState(() => takePendingFocus('row'))
  const rowKey = params.row ?? pendingRow
  useOpenRow(table, {
    rowKey,
    keyOf: ({ id }) => id,
    query,
    positionQuery: positionQuery(id, query, rowKey ?? ''),
    onFound: () => setPendingRow(undefined),
  })
  const onKeyDown = useRowShortcuts({ pageState, summary, query, displays, table, open: openRow })
  const shapes = useColumnShapes(columns, rowAt, shapeOf)
  const scenarios = pageState.evaluation?.scenario_count ?? total
  const layout = useMemo(
    () => layoutOf(columns, { scenarios, shapes, width }),
    [columns, scenarios, shapes, width],
  )
  return (
    <>
      <VirtualTable
        table={table}
        layout={layout}
        columns={columns.length}
        isBusy={isBusy}
        header={
          <TableHeader
            pageState={pageState}
            summary={summary}
            choice={choice}
            layout={layout}
            shapes={shapes}
            displays={displays}
          />
        }
        renderRow={(index, row, focusedColumn) => (
          <TableRow
            key={index}
            index={index}
            row={row}
            columns={columns}
            stickyOffsets={layout.stickyOffsets}
            shapes={shapes}
            displays={displays}
            output={params.output}
            focusedColumn={focusedColumn}
            isOpen={row !== undefined && row.id === params.row}
          />
        )}
        onOpen={openRow}
        onKeyDown={onKeyDown}
      />
      <Footer
        visibleRange={visibleRange}
        total={total}
        suffix={total < scenarios ? ` (filtered from ${formatCount(scenarios)})` : ''}
        matchName="failure"
      />
    </>
  )
}
