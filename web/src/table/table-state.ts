// The state of a virtualized table: loaded rows, scroll position and focus.
import { useLayoutEffect, useRef, useState } from 'react'
import type { RowSource } from '../queries/row-window.ts'
import type { Density } from '../state/row-params.ts'
import { useRovingFocus } from './roving-focus.ts'
import { type Range, useWindows } from './row-windows.ts'
import { useScroll } from './scroll.ts'

/** The same heights are in table.module.css. */
export const ROW_HEIGHTS: Record<Density, number> = { default: 32, compact: 28, medium: 96, tall: 150 }

export type TableState<Row> = ReturnType<typeof useTableState<Row, unknown>>

/** Rows that others can change. Those of another version are displayed when that moves nothing that is being read. */
export interface FollowedRows {
  /** The version of the displayed rows, and the latest one. */
  version: string | undefined
  latestVersion: string | undefined
  /** Rows after this number are not displayed yet. */
  limit?: number | undefined
  show: (version: string | undefined, limit?: number) => void
}

/** `total` is the number of rows when they were first loaded. */
export function useTableState<Row, Ref>(
  source: RowSource<Row, Ref>,
  total: number,
  density: Density,
  headerHeight: number,
  followed: FollowedRows | undefined,
) {
  const grid = useRef<HTMLDivElement>(null)
  const [settledRange, setSettledRange] = useState<Range>({ first: 0, last: 0 })
  const loaded = useWindows(source, followed?.version, total, settledRange)
  const windows = { ...loaded, total: Math.min(loaded.total, followed?.limit ?? loaded.total) }
  const scroll = useScroll(grid, {
    rows: windows.total,
    rowHeight: ROW_HEIGHTS[density],
    headerHeight,
    onSettle: setSettledRange,
  })
  const roving = useRovingFocus(grid, source)
  // Another query starts at its first row.
  const previousSource = useRef(source)
  useLayoutEffect(() => {
    if (previousSource.current !== source) scroll.scrollToTop()
    previousSource.current = source
  })
  return { grid, density, windows, loadedTotal: loaded.total, scroll, roving }
}
