// The virtualized table: a sticky header, and only the visible rows.
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react'
import { ErrorNotice } from '../errors/error-notice.tsx'
import type { ColumnLayout } from './columns/column-layout.ts'
import type { CellPosition } from './roving-focus.ts'
import styles from './table.module.css'
import type { Table } from './table.ts'
import { ROW_HEIGHTS } from './table.ts'

interface VirtualTableProps<Row> {
  table: Table<Row>
  layout: ColumnLayout
  /** The number of columns, without the row number. */
  columns: number
  /** Rows of another query are loading. */
  isBusy: boolean
  header: ReactNode
  /** `focusedColumn` is undefined if the focused cell is in another row. */
  renderRow: (index: number, row: Row | undefined, focusedColumn: number | undefined) => ReactNode
  onOpen: (index: number) => void
  onKeyDown: (event: KeyboardEvent) => void
}

export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { table, layout, columns, isBusy, header, renderRow, onOpen, onKeyDown } = props
  const { grid, density, headerHeight, windows, scroll, roving } = table
  const { total, rowAt, error } = windows
  const { visibleRange } = scroll
  const { position } = roving
  const isFocusAbove = position.row >= 0 && position.row < visibleRange.from
  return (
    <>
      <ErrorNotice error={error} />
      <div
        ref={grid}
        role="grid"
        aria-label="Rows"
        aria-rowcount={total + 1}
        aria-colcount={columns + 1}
        aria-busy={isBusy}
        className={[styles.scroller, styles[density], isBusy && styles.dimmed].filter(Boolean).join(' ')}
        style={
          {
            '--columns': layout.template,
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
          onOpen(position.row)
        }}
      >
        <div className={styles.content} style={{ minWidth: layout.minWidth }}>
          {header}
          <div role="rowgroup" className={styles.body} style={{ height: scroll.bodyHeight }}>
            <div
              role="presentation"
              className={styles.rows}
              style={{ top: visibleRange.top - (isFocusAbove ? ROW_HEIGHTS[density] : 0) }}
            >
              {renderedRows(visibleRange, position.row, total).map((index) =>
                renderRow(index, rowAt(index), index === position.row ? position.column : undefined),
              )}
            </div>
          </div>
        </div>
      </div>
    </>
  )
}

/** The visible rows, and the row with the focus even if it is not visible. */
function renderedRows({ from, to }: { from: number; to: number }, focused: number, total: number): number[] {
  const rows = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  if (focused >= 0 && focused < from) return [focused, ...rows]
  return focused > to && focused < total ? [...rows, focused] : rows
}

function cellPositionOf(target: Element): CellPosition | undefined {
  const cell = target.closest('[role=gridcell]')
  const row = cell?.closest<HTMLElement>('[data-index]')
  if (!cell || !row) return undefined
  return { row: Number(row.dataset.index), column: Number(cell.getAttribute('aria-colindex')) - 1 }
}
