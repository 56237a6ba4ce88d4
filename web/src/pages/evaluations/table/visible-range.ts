// The part of the page that is visible, in pixels from the top of an element, and the width of that element. The page
// scrolls, not the table. A library that supports any row height is twenty times as large.
import { type RefObject, useLayoutEffect, useState } from 'react'

/** Rows are rendered this far above and below the window. */
const OVERSCAN_PX = 256
/** Renders again after scrolling this far. */
const STEP_PX = 128

export interface VisibleRange {
  top: number
  bottom: number
  widthPx: number
}

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
