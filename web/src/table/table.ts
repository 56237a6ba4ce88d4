// The state of a virtualized table: row windows, scroll position and focus.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { Density } from '../state/row-params.ts'
import { type RovingFocus, useRovingFocus } from './roving-focus.ts'
import type { Range } from './row-windows.ts'
import { useWindows, type Window, type WindowQueryAt, type Windows } from './row-windows.ts'
import { type Scroll, useScroll } from './scroll.ts'

/** The same heights are in table.module.css. */
export const ROW_HEIGHTS: Record<Density, number> = { compact: 28, medium: 96, tall: 150 }

export interface Table<Row> {
  grid: RefObject<HTMLDivElement | null>
  density: Density
  headerHeight: number
  windows: Windows<Row>
  scroll: Scroll
  roving: RovingFocus
}

interface TableOptions<Row> {
  /** The query of the rows, compared by identity. */
  query: object
  /** The number of rows when the query first loaded. */
  total: number
  windowQuery: WindowQueryAt<Window<Row>>
  density: Density
  headerHeight: number
}

export function useTable<Row>({
  query,
  total,
  windowQuery,
  density,
  headerHeight,
}: TableOptions<Row>): Table<Row> {
  const grid = useRef<HTMLDivElement>(null)
  const [settledRange, setSettledRange] = useState<Range>({ first: 0, last: 0 })
  const windows = useWindows(windowQuery, total, settledRange)
  const scroll = useScroll(grid, {
    rows: windows.total,
    rowHeight: ROW_HEIGHTS[density],
    headerHeight,
    onSettle: setSettledRange,
  })
  const roving = useRovingFocus(grid, query)
  // Another query starts at its first row.
  const previousQuery = useRef(query)
  useLayoutEffect(() => {
    if (previousQuery.current !== query) scroll.scrollToTop()
    previousQuery.current = query
  })
  return { grid, density, headerHeight, windows, scroll, roving }
}
