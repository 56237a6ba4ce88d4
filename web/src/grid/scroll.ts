// Where the table is scrolled to, as rows. Browsers cap the height of an element, so of very many rows the bar stands for more
// than its pixels.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Range } from './ranges.ts'

const TALLEST_PX = 15_000_000
/** Rows beside those in sight that are there too, so that none is missing while it comes in. */
const OVERSCAN = 4
const REST_MS = 100
/** More rows than this at a time are a drag of the scroll bar: on its way nothing is asked for. */
const DRAG_ROWS = 60

interface Extent {
  rows: number
  rowHeight: number
  /** How much of the table is in sight. */
  height: number
}

export function bodyHeight({ rows, rowHeight }: Extent): number {
  return Math.min(rows * rowHeight, TALLEST_PX)
}

/** How many pixels of rows one pixel of the bar is. */
function ratio(extent: Extent): number {
  const most = bodyHeight(extent) - extent.height
  return most <= 0 ? 1 : (extent.rows * extent.rowHeight - extent.height) / most
}

export interface Sight extends Range {
  /** Where the first of the rows that are there begins, in pixels of the body. */
  top: number
  /** Those that are there: the rows in sight and a few more. */
  from: number
  to: number
}

export function sightAt(scrollTop: number, extent: Extent): Sight {
  const { rows, rowHeight, height } = extent
  const passed = Math.max(0, scrollTop) * ratio(extent)
  const first = Math.max(0, Math.min(rows - 1, Math.floor(passed / rowHeight)))
  const last = Math.max(first, Math.min(rows - 1, Math.ceil((passed + height) / rowHeight) - 1))
  const from = Math.max(0, first - OVERSCAN)
  const to = Math.min(rows - 1, last + OVERSCAN)
  return { first, last, from, to, top: scrollTop + from * rowHeight - passed }
}

/** Where to scroll so that a row is wholly in sight; undefined where it is. */
export function scrollTopFor(index: number, scrollTop: number, extent: Extent): number | undefined {
  const { rowHeight, height } = extent
  const scale = ratio(extent)
  const passed = scrollTop * scale
  const top = index * rowHeight
  if (top < passed) return top / scale
  if (top + rowHeight > passed + height) return (top + rowHeight - height) / scale
  return undefined
}

export interface Scroll {
  sight: Sight
  bodyHeight: number
  width: number
  /** Brings a row into sight. */
  show: (index: number) => void
  toTop: () => void
}

interface Scrolled {
  rows: number
  rowHeight: number
  headHeight: number
  /** Is told which rows are in sight once the bar has come to rest. */
  onRest: (range: Range) => void
}

export function useScroll(
  scroller: RefObject<HTMLElement | null>,
  { rows, rowHeight, headHeight, onRest }: Scrolled,
): Scroll {
  const [size, setSize] = useState({ width: 0, height: 0 })
  const extent = { rows, rowHeight, height: Math.max(0, size.height - headHeight) }
  const [scrollTop, setScrollTop] = useState(0)
  const sight = sightAt(scrollTop, extent)
  const latest = useRef({ extent, sight })
  latest.current = { extent, sight }
  /** The row that was brought into sight and stays there, and where that put the bar. */
  const kept = useRef<number>(undefined)
  const moved = useRef(0)

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    const rest = () => {
      clearTimeout(timer)
      onRest(sightAt(element.scrollTop, latest.current.extent))
    }
    const onScroll = () => {
      // Whoever scrolls wants to see something else.
      if (element.scrollTop !== moved.current) kept.current = undefined
      const next = sightAt(element.scrollTop, latest.current.extent)
      const before = latest.current.sight
      // Rows that stay where they are need no new picture.
      if (next.first !== before.first || next.last !== before.last || next.top !== before.top) {
        setScrollTop(element.scrollTop)
      }
      if (Math.abs(next.first - before.first) <= DRAG_ROWS) return rest()
      clearTimeout(timer)
      timer = setTimeout(rest, REST_MS)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [scroller, onRest])

  const move = useCallback(
    (to: number) => {
      const element = scroller.current
      if (!element) return
      element.scrollTop = to
      moved.current = element.scrollTop
      setScrollTop(element.scrollTop)
      onRest(sightAt(element.scrollTop, latest.current.extent))
    },
    [scroller, onRest],
  )

  // Other heights, the same first row.
  const shownHeight = useRef(rowHeight)
  useLayoutEffect(() => {
    if (shownHeight.current !== rowHeight) {
      const { first } = sightAt(scrollTop, { ...extent, rowHeight: shownHeight.current })
      shownHeight.current = rowHeight
      move((first * rowHeight) / ratio(extent))
    }
  })
  // A larger table, or one with more rows, has others in sight without being scrolled.
  const { first, last } = sight
  const { height } = extent
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolling alone tells by itself
  useEffect(() => onRest({ first, last }), [rows, rowHeight, height])

  function show(index: number): void {
    kept.current = index
    // Before the table has been measured nobody knows what is in sight.
    if (height === 0) return
    const to = scrollTopFor(index, scroller.current?.scrollTop ?? 0, extent)
    if (to !== undefined) move(to)
  }
  // What stands above the table comes and goes while it loads.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is the one reason to show it again
  useLayoutEffect(() => {
    if (kept.current !== undefined) show(kept.current)
  }, [height])

  return {
    sight,
    bodyHeight: bodyHeight(extent),
    width: size.width,
    show,
    toTop: () => move(0),
  }
}
