// The visible range of a virtualized table whose rows have the same height. It is in the first load: a library that
// supports any row height is twenty times as large.
import { type RefObject, useLayoutEffect, useState } from 'react'

interface Sizes {
  rowPx: number
  /** The height of the sticky header. */
  headerPx: number
}

interface VisibleRows {
  first: number
  last: number
  /** Scrolls only as far as needed. */
  scrollIntoView: (index: number) => void
  /** The number of rows that fit into the visible area. */
  rowsPerPage: () => number
}

export function useVisibleRows(
  scroll: RefObject<HTMLElement | null>,
  { rowPx, headerPx: headPx }: Sizes,
): VisibleRows {
  const [range, setRange] = useState({ first: 0, last: 0 })
  useLayoutEffect(() => {
    const element = scroll.current
    if (!element) return
    const updateRange = () => {
      const first = Math.floor(element.scrollTop / rowPx)
      const last = first + Math.ceil(element.clientHeight / rowPx)
      setRange((old) => (old.first === first && old.last === last ? old : { first, last }))
    }
    updateRange()
    const observer = new ResizeObserver(updateRange)
    observer.observe(element)
    element.addEventListener('scroll', updateRange, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', updateRange)
    }
  }, [scroll, rowPx])
  const visiblePx = () => (scroll.current?.clientHeight ?? 0) - headPx
  return {
    ...range,
    scrollIntoView(index) {
      const element = scroll.current
      if (!element) return
      const top = index * rowPx
      element.scrollTop = Math.max(Math.min(element.scrollTop, top), top + rowPx - visiblePx())
    },
    rowsPerPage: () => Math.max(1, Math.floor(visiblePx() / rowPx)),
  }
}
