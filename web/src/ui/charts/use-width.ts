// The width of an element in pixels, 0 until it is measured.
import { type RefObject, useLayoutEffect, useState } from 'react'

export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    const measureWidth = () => setWidth(current.clientWidth)
    measureWidth()
    const observer = new ResizeObserver(measureWidth)
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return width
}
