// Which rows of a long table are rendered if the page scrolls, not the table. A library that supports any row height is twenty
// times as large.
import { type RefObject, useLayoutEffect, useState } from 'react'

/** Rows are rendered this far above and below the window. */
const OVERSCAN_PX = 256
/** Renders again after scrolling this far. */
const STEP_PX = 128

interface VisibleRange {
  top: number
  bottom: number
  widthPx: number
}

/** The part of an element that is visible, in pixels from its top, and its width. */
export function useVisibleRange(element: RefObject<HTMLElement | null>): VisibleRange {
  const [range, setRange] = useState<VisibleRange>({ top: 0, bottom: 0, widthPx: 0 })
  useLayoutEffect(() => {
    const container = element.current
    if (!container) return
    const update = () => {
      const { top: containerTop, width } = container.getBoundingClientRect()
      const top = Math.floor((-containerTop - OVERSCAN_PX) / STEP_PX) * STEP_PX
      const bottom = Math.ceil((innerHeight - containerTop + OVERSCAN_PX) / STEP_PX) * STEP_PX
      setRange((old) =>
        old.top === top && old.bottom === bottom && old.widthPx === width
          ? old
          : { top, bottom, widthPx: width },
      )
    }
    update()
    const observer = new ResizeObserver(update)
    observer.observe(container)
    // Cards above the table change its position.
    observer.observe(document.body)
    addEventListener('scroll', update, { passive: true })
    return () => {
      observer.disconnect()
      removeEventListener('scroll', update)
    }
  }, [element])
  return range
}

export interface RowRange {
  from: number
  /** Exclusive. */
  to: number
}

/** The rows within a height, where the first row begins at `top`. */
export function rowsWithin(rows: number, rowPx: number, top: number, heightPx: number): RowRange {
  const from = Math.min(rows, Math.max(0, Math.floor(-top / rowPx)))
  const to = Math.min(rows, Math.ceil((heightPx - top) / rowPx))
  return { from, to: Math.max(from, to) }
}

/** The indexes of the rendered rows. A row with the focus stays rendered when it is scrolled out of the window. */
export function renderedRows({ from, to }: RowRange, focused: number | undefined): number[] {
  const indexes = Array.from({ length: to - from }, (_, index) => from + index)
  if (focused === undefined || (focused >= from && focused < to)) return indexes
  return focused < from ? [focused, ...indexes] : [...indexes, focused]
}
