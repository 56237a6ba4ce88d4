// The table itself: a header that stays, and of all rows those in sight.
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react'
import { Refused } from '../parts/refused.tsx'
import { ROW_HEIGHTS } from './density.ts'
import styles from './grid.module.css'
import type { Layout } from './layout.ts'
import type { Place } from './roving.ts'
import type { Table } from './table.ts'

interface SheetProps<Row> {
  table: Table<Row>
  layout: Layout
  /** How many there are, without that of the numbers. */
  columns: number
  /** Rows of another question are on their way. */
  isBusy: boolean
  header: ReactNode
  /** `focused` is the cell where the keyboard is; undefined where it is in another row. */
  renderRow: (index: number, row: Row | undefined, focused: number | undefined) => ReactNode
  onOpen: (index: number) => void
  onKeyDown: (event: KeyboardEvent) => void
}

export function Sheet<Row>(props: SheetProps<Row>) {
  const { table, layout, columns, isBusy, header, renderRow, onOpen, onKeyDown } = props
  const { grid, density, headHeight, windows, scroll, roving } = table
  const { total, rowAt, error } = windows
  const { sight } = scroll
  const { place } = roving
  const isAbove = place.row >= 0 && place.row < sight.from
  return (
    <>
      <Refused error={error} />
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
            '--head': `${headHeight}px`,
            scrollPaddingLeft: layout.stuckWidth,
          } as CSSProperties
        }
        onFocus={(event) => roving.onFocus(event.target)}
        onBlur={roving.onBlur}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          const place = placeOf(event.target as Element)
          if (!place || getSelection()?.isCollapsed === false) return
          roving.go(place)
          onOpen(place.row)
        }}
      >
        <div className={styles.sheet} style={{ minWidth: layout.minWidth }}>
          {header}
          <div role="rowgroup" className={styles.body} style={{ height: scroll.bodyHeight }}>
            <div
              role="presentation"
              className={styles.rows}
              style={{ top: sight.top - (isAbove ? ROW_HEIGHTS[density] : 0) }}
            >
              {rowsThere(sight, place.row, total).map((index) =>
                renderRow(index, rowAt(index), index === place.row ? place.column : undefined),
              )}
            </div>
          </div>
        </div>
      </div>
    </>
  )
}

/** Those in sight and, wherever it is, the one that has the focus. */
function rowsThere({ from, to }: { from: number; to: number }, focused: number, total: number): number[] {
  const rows = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  if (focused >= 0 && focused < from) return [focused, ...rows]
  return focused > to && focused < total ? [...rows, focused] : rows
}

function placeOf(target: Element): Place | undefined {
  const cell = target.closest('[role=gridcell]')
  const row = cell?.closest<HTMLElement>('[data-index]')
  if (!cell || !row) return undefined
  return { row: Number(row.dataset.index), column: Number(cell.getAttribute('aria-colindex')) - 1 }
}
