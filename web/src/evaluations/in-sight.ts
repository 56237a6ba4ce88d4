// Which rows of a table are in sight, where all have the same height. The list is the first page that people load, and this
// is a twentieth of what a library for rows of any height weighs.
import { type RefObject, useLayoutEffect, useState } from 'react'

interface Sizes {
  rowPx: number
  /** Of the head, which stays above the rows. */
  headPx: number
}

interface InSight {
  first: number
  last: number
  /** Scrolls no further than it takes. */
  bringIn: (index: number) => void
  /** How many rows are seen at once. */
  page: () => number
}

export function useInSight(scroll: RefObject<HTMLElement | null>, { rowPx, headPx }: Sizes): InSight {
  const [range, setRange] = useState({ first: 0, last: 0 })
  useLayoutEffect(() => {
    const element = scroll.current
    if (!element) return
    const look = () => {
      const first = Math.floor(element.scrollTop / rowPx)
      const last = first + Math.ceil(element.clientHeight / rowPx)
      setRange((old) => (old.first === first && old.last === last ? old : { first, last }))
    }
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroll, rowPx])
  const seenPx = () => (scroll.current?.clientHeight ?? 0) - headPx
  return {
    ...range,
    bringIn(index) {
      const element = scroll.current
      if (!element) return
      const top = index * rowPx
      element.scrollTop = Math.max(Math.min(element.scrollTop, top), top + rowPx - seenPx())
    },
    page: () => Math.max(1, Math.floor(seenPx() / rowPx)),
  }
}
