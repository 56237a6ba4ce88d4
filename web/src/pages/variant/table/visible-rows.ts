// The rows of a long table that are rendered: those in the window, and the one with the focus.
import { range } from 'd3-array'
import { type RefObject, useEffect, useState } from 'react'

/** As in revision-table.module.css. */
export const ROW_HEIGHT = 32
/** Rows rendered before and after the visible ones. */
const OVERSCAN = 4

interface RowRange {
  from: number
  /** Exclusive. */
  to: number
}

/** `top` is the position of the first row relative to the window. */
export function rowsInWindow(count: number, top: number, windowHeight: number): RowRange {
  const from = Math.floor(-top / ROW_HEIGHT) - OVERSCAN
  const to = Math.ceil((windowHeight - top) / ROW_HEIGHT) + OVERSCAN
  return { from: Math.min(count, Math.max(0, from)), to: Math.max(0, Math.min(count, to)) }
}

/** The indexes of the rendered rows. A row with the focus stays rendered when it is scrolled out of the window. */
export function renderedRows({ from, to }: RowRange, focused: number | undefined): number[] {
  const indexes = range(from, to)
  if (focused === undefined || (focused >= from && focused < to)) return indexes
  return focused < from ? [focused, ...indexes] : [...indexes, focused]
}

/** Follows the scroll position of the window. */
export function useRowsInWindow(body: RefObject<HTMLElement | null>, count: number): RowRange {
  const [visible, setVisible] = useState<RowRange>({ from: 0, to: Math.min(count, 30) })
  useEffect(() => {
    const update = () => {
      if (!body.current) return
      const next = rowsInWindow(count, body.current.getBoundingClientRect().top, innerHeight)
      setVisible((old) => (old.from === next.from && old.to === next.to ? old : next))
    }
    update()
    // The table also moves when content above it changes.
    const observer = new ResizeObserver(update)
    observer.observe(document.body)
    addEventListener('scroll', update, { passive: true })
    addEventListener('resize', update)
    return () => {
      observer.disconnect()
      removeEventListener('scroll', update)
      removeEventListener('resize', update)
    }
  }, [body, count])
  return { from: Math.min(visible.from, count), to: Math.min(visible.to, count) }
}
