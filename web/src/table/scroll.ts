// Maps the scroll position to visible rows. Browsers limit the height of an element, so in very long tables one pixel of the
// scroll bar represents several pixels of rows.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Range } from './row-windows.ts'

const MAX_BODY_PX = 15_000_000
/** Rows rendered before and after the visible ones. */
const OVERSCAN = 4
const SETTLE_MS = 100
/** A larger step is a drag of the scroll bar: rows load only when it ends. */
const DRAG_ROWS = 60

interface Extent {
  rows: number
  rowHeight: number
  /** The visible height of the table body. */
  height: number
}

export function bodyHeight({ rows, rowHeight }: Extent): number {
  return Math.min(rows * rowHeight, MAX_BODY_PX)
}

/** Pixels of rows per pixel of the scroll bar. */
function scrollRatio(extent: Extent): number {
  const maxScrollTop = bodyHeight(extent) - extent.height
  return maxScrollTop <= 0 ? 1 : (extent.rows * extent.rowHeight - extent.height) / maxScrollTop
}

interface VisibleRange extends Range {
  /** The offset of the first rendered row, in pixels. */
  top: number
  /** The rendered rows: the visible ones and the overscan. */
  from: number
  to: number
}

export function visibleRangeAt(scrollTop: number, extent: Extent): VisibleRange {
  const { rows, rowHeight, height } = extent
  const offset = Math.max(0, scrollTop) * scrollRatio(extent)
  const first = Math.max(0, Math.min(rows - 1, Math.floor(offset / rowHeight)))
  const last = Math.max(first, Math.min(rows - 1, Math.ceil((offset + height) / rowHeight) - 1))
  const from = Math.max(0, first - OVERSCAN)
  const to = Math.min(rows - 1, last + OVERSCAN)
  return { first, last, from, to, top: scrollTop + from * rowHeight - offset }
}

/** The scroll position that makes a row fully visible, or undefined if it is. */
export function scrollTopFor(index: number, scrollTop: number, extent: Extent): number | undefined {
  const { rowHeight, height } = extent
  const scale = scrollRatio(extent)
  const offset = scrollTop * scale
  const top = index * rowHeight
  if (top < offset) return top / scale
  if (top + rowHeight > offset + height) return (top + rowHeight - height) / scale
  return undefined
}

interface ScrollOptions {
  rows: number
  rowHeight: number
  headerHeight: number
  /** Called with the visible rows when scrolling pauses. */
  onSettle: (range: Range) => void
}

export function useScroll(
  scroller: RefObject<HTMLElement | null>,
  { rows, rowHeight, headerHeight, onSettle }: ScrollOptions,
) {
  const [size, setSize] = useState({ width: 0, height: 0 })
  const extent = { rows, rowHeight, height: Math.max(0, size.height - headerHeight) }
  const [scrollTop, setScrollTop] = useState(0)
  const visibleRange = visibleRangeAt(scrollTop, extent)
  const latestState = useRef({ extent, visibleRange })
  latestState.current = { extent, visibleRange }
  /** The row that stays visible when the table is resized, and the scroll position set for it. */
  const keptVisibleRow = useRef<number>(undefined)
  const lastSetScrollTop = useRef(0)

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const updateSize = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    const settle = () => {
      clearTimeout(timer)
      onSettle(visibleRangeAt(element.scrollTop, latestState.current.extent))
    }
    const onScroll = () => {
      // Scrolling by the user releases the row.
      if (element.scrollTop !== lastSetScrollTop.current) keptVisibleRow.current = undefined
      const newRange = visibleRangeAt(element.scrollTop, latestState.current.extent)
      const previousRange = latestState.current.visibleRange
      // Render only if the visible rows have changed.
      if (
        newRange.first !== previousRange.first ||
        newRange.last !== previousRange.last ||
        newRange.top !== previousRange.top
      ) {
        setScrollTop(element.scrollTop)
      }
      if (Math.abs(newRange.first - previousRange.first) <= DRAG_ROWS) return settle()
      clearTimeout(timer)
      timer = setTimeout(settle, SETTLE_MS)
    }
    const observer = new ResizeObserver(updateSize)
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [scroller, onSettle])

  const setScroll = useCallback(
    (newScrollTop: number) => {
      const element = scroller.current
      if (!element) return
      element.scrollTop = newScrollTop
      lastSetScrollTop.current = element.scrollTop
      setScrollTop(element.scrollTop)
      onSettle(visibleRangeAt(element.scrollTop, latestState.current.extent))
    },
    [scroller, onSettle],
  )

  // Keep the first visible row when the row height changes.
  const lastRowHeight = useRef(rowHeight)
  useLayoutEffect(() => {
    if (lastRowHeight.current !== rowHeight) {
      const { first } = visibleRangeAt(scrollTop, { ...extent, rowHeight: lastRowHeight.current })
      lastRowHeight.current = rowHeight
      setScroll((first * rowHeight) / scrollRatio(extent))
    }
  })
  // The visible rows also change with the size of the table and the number of rows.
  const { first, last } = visibleRange
  const { height } = extent
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scroll listener reports scrolling
  useEffect(() => onSettle({ first, last }), [rows, rowHeight, height])

  /** Scrolls until the row is visible. */
  function scrollToRow(index: number): void {
    keptVisibleRow.current = index
    // The table has not been measured yet.
    if (height === 0) return
    const newScrollTop = scrollTopFor(index, scroller.current?.scrollTop ?? 0, extent)
    if (newScrollTop !== undefined) setScroll(newScrollTop)
  }
  // The height changes while elements above the table load.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another height requires scrolling again
  useLayoutEffect(() => {
    if (keptVisibleRow.current !== undefined) scrollToRow(keptVisibleRow.current)
  }, [height])

  return {
    visibleRange,
    /** The offset of the visible rows in pixels, without the limit of the scroll bar. */
    getOffset: () => (scroller.current?.scrollTop ?? 0) * scrollRatio(latestState.current.extent),
    setOffset: (offset: number) => {
      keptVisibleRow.current = undefined
      setScroll(offset / scrollRatio(latestState.current.extent))
    },
    bodyHeight: bodyHeight(extent),
    width: size.width,
    scrollToRow,
    scrollToTop: () => setScroll(0),
  }
}
