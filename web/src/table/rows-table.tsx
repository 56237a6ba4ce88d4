// The virtualized table of a view: a sticky header, the visible rows, keyboard shortcuts, the open row and a footer.
import { type CSSProperties, type ReactNode, Suspense, useMemo } from 'react'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { formatCount } from '../format/numbers.ts'
import type { RowSource } from '../queries/row-window.ts'
import type { Density } from '../state/row-params.ts'
import { lazyComponent } from '../ui/messages/lazy-component.tsx'
import { renderedRows } from '../ui/visible-rows.ts'
import { columnLayout } from './columns/column-layout.ts'
import type { ColumnResize } from './columns/column-resize.tsx'
import { type Column, type ColumnTypes, type ColumnWidth, useColumnShapes } from './columns/column-type.ts'
import { useVisibleCells } from './columns/visible-columns.ts'
import { TableHeader } from './header.tsx'
import { type NumberedRows, useJumpToRow } from './jump-to-row.tsx'
import { useLatestRequest } from './latest-request.ts'
import type { NewRows as NewRowsType } from './new-rows/new-rows.tsx'
import type { MatchSearch } from './next-match.ts'
import { useOpenRow } from './open-row.ts'
import type { CellPosition } from './roving-focus.ts'
import { TableRow } from './row.tsx'
import styles from './table.module.css'
import { type RowShortcuts, useTableShortcuts } from './table-shortcuts.ts'
import { type FollowedRows, ROW_HEIGHTS, useTableState } from './table-state.ts'

const NewRows = lazyComponent(
  async () => (await import('./new-rows/new-rows.tsx')).NewRows,
) as typeof NewRowsType

interface RowsTableProps<Kind extends string, Row, Ref, Context> {
  /** Compared by identity. */
  source: RowSource<Row, Ref>
  /** The number of rows when they were first loaded. */
  total: number
  /** Without it, the rows are not followed. */
  followed?: FollowedRows
  /** The number of scenarios without filters, for the width of the row numbers. */
  scenarios: number
  /** Whether rows of another query are loading. */
  isBusy: boolean
  types: ColumnTypes<Kind, Row, never, Context>
  columns: Column<Kind>[]
  context: Context
  columnMenu?: (column: Column<Kind>) => ReactNode
  /** Stores the width of a column, or removes it. Without it, columns cannot be resized. */
  onResize?: ColumnResize['store']
  rowNumber: (row: Row, context: Context) => ReactNode
  density: Density
  headerHeight: number
  /** The order of the rows, and their order without the search param. Without them, the table cannot be sorted. */
  order?: string
  defaultOrder?: string
  /** The row in the panel. */
  openRow?: Ref | undefined
  /** `column` is the one that was clicked, or has the focus; undefined for the row number. */
  onOpen: (row: Ref, column: Column<Kind> | undefined) => void
  /** A row to focus once, if no row is open. */
  pendingRow?: Ref | undefined
  onFound?: () => void
  /** For the n key. */
  match?: MatchSearch<Row, Ref>
  rowShortcuts?: RowShortcuts<Row>
  /** For the # key. */
  numberedRows?: NumberedRows<Ref>
  /** Keys of the page, in the footer. */
  keyHints?: ReactNode
  /** Describes the rows: "filtered from 120". */
  footer: (total: number) => ReactNode
}

export function RowsTable<Kind extends string, Row, Ref, Context>(
  props: RowsTableProps<Kind, Row, Ref, Context>,
) {
  const { source, scenarios, isBusy, types, columns, context, density, headerHeight, openRow, match } = props
  const { followed } = props
  const table = useTableState(source, props.total, density, headerHeight, followed)
  const { windows, scroll, roving } = table
  const { total, rowAt, fetchRow } = windows
  const { visibleRange, width } = scroll
  const { position } = roving
  const startRequest = useLatestRequest(JSON.stringify(openRow))
  const open = async (index: number, cell = position.column) => {
    const isLatest = startRequest()
    const row = rowAt(index) ?? (await fetchRow(index))
    const ref = row && source.refOf(row)
    if (ref !== undefined && isLatest()) props.onOpen(ref, columns[cell - 1])
  }
  useOpenRow(table, source, openRow ?? props.pendingRow, props.onFound)
  const onKeyDown = useTableShortcuts(table, { source, match, open, rowShortcuts: props.rowShortcuts })
  const jumpDialog = useJumpToRow(table, source, props.numberedRows)
  const shapes = useColumnShapes(types, columns, rowAt, context)
  const layout = useMemo(() => {
    const sizes = columns.map((column) => ({
      width: widthOf(types[column.kind].width(column, shapes.get(column.key), context), column),
      isPinned: column.isPinned,
    }))
    return columnLayout(sizes, { scenarios, width })
  }, [types, columns, shapes, context, scenarios, width])
  const { onResize } = props
  const { grid } = table
  const visibleCells = useVisibleCells(grid, layout, width)
  const { tracks } = layout
  const resize = useMemo(
    (): ColumnResize | undefined =>
      onResize && {
        preview: (columnIndex, px) =>
          grid.current?.style.setProperty('--columns', tracks.with(columnIndex, `${px}px`).join(' ')),
        store: onResize,
      },
    [onResize, grid, tracks],
  )
  const shared = { types, columns, shapes, stickyOffsets: layout.stickyOffsets, context }
  const focusedRow = position.row >= 0 && position.row < total ? position.row : undefined
  const isFocusAbove = focusedRow !== undefined && focusedRow < visibleRange.from
  return (
    <>
      <ErrorNotice error={windows.error} />
      {jumpDialog}
      <div
        ref={table.grid}
        role="grid"
        aria-label="Rows"
        aria-rowcount={total + 1}
        aria-colcount={columns.length + 1}
        aria-busy={isBusy}
        className={[styles.scroller, styles[density], isBusy && styles.dimmed].filter(Boolean).join(' ')}
        style={
          {
            '--columns': tracks.join(' '),
            '--header-height': `${headerHeight}px`,
            scrollPaddingLeft: layout.stickyWidth,
          } as CSSProperties
        }
        onFocus={(event) => roving.onFocus(event.target)}
        onBlur={roving.onBlur}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          const position = cellPositionOf(event.target as Element)
          if (!position || getSelection()?.isCollapsed === false) return
          roving.focusCell(position)
          void open(position.row, position.column)
        }}
      >
        <div className={styles.content} style={{ minWidth: layout.minWidth }}>
          <TableHeader
            {...shared}
            order={props.order}
            defaultOrder={props.defaultOrder}
            columnMenu={props.columnMenu}
            resize={resize}
          />
          <div role="rowgroup" className={styles.body} style={{ height: scroll.bodyHeight }}>
            <div
              role="presentation"
              className={styles.rows}
              style={{ top: visibleRange.top - (isFocusAbove ? ROW_HEIGHTS[density] : 0) }}
            >
              {renderedRows({ from: visibleRange.from, to: visibleRange.to + 1 }, focusedRow).map((index) => {
                const row = rowAt(index)
                return (
                  <TableRow
                    key={index}
                    index={index}
                    row={row}
                    {...shared}
                    visibleCells={visibleCells}
                    rowNumber={props.rowNumber}
                    focusedColumn={index === position.row ? position.column : undefined}
                    isOpen={row !== undefined && openRow !== undefined && source.hasRef(row, openRow)}
                  />
                )
              })}
            </div>
          </div>
        </div>
      </div>
      <footer className={styles.footer}>
        <span>
          Rows {formatCount(visibleRange.first + 1)}–{formatCount(Math.min(total, visibleRange.last + 1))} of{' '}
          {formatCount(total)}
          {props.footer(total)}
        </span>
        {followed && (followed.version !== followed.latestVersion || followed.limit !== undefined) && (
          <Suspense>
            <NewRows table={table} source={source} followed={followed} />
          </Suspense>
        )}
        <span className={styles.keys}>
          {props.keyHints}
          <span>
            <kbd>j</kbd> <kbd>k</kbd> move
          </span>
          <span>
            <kbd>Enter</kbd> open
          </span>
          {match && (
            <span>
              <kbd>n</kbd> next {match.noun}
            </span>
          )}
          <span>
            <kbd>?</kbd> all keys
          </span>
        </span>
      </footer>
    </>
  )
}

function widthOf(width: ColumnWidth, { chosenWidth }: Column): ColumnWidth {
  return chosenWidth === undefined ? width : [chosenWidth, 0]
}

function cellPositionOf(target: Element): CellPosition | undefined {
  const cell = target.closest('[role=gridcell]')
  const row = cell?.closest<HTMLElement>('[data-index]')
  if (!cell || !row) return undefined
  return { row: Number(row.dataset.index), column: Number(cell.getAttribute('aria-colindex')) - 1 }
}
