// Which columns of a table that scrolls sideways are rendered: a row of 50 columns takes too long to draw.
import { type RefObject, useEffect, useMemo, useState } from 'react'
import type { ColumnLayout } from './column-layout.ts'

/** Columns are rendered this far to the left and right of the visible ones. */
const OVERSCAN_PX = 128
/** Renders again after scrolling this far. */
const STEP_PX = 128

/**
 * The indexes of the rendered cells of a row: the sticky ones, those in view, and the last one, which has another padding.
 * Undefined if the table does not scroll sideways. The row number is cell 0.
 */
export function visibleCells(
  { cellWidths, minWidth, stickyOffsets }: ColumnLayout,
  scrollLeft: number,
  width: number,
): number[] | undefined {
  if (width === 0 || minWidth <= width) return undefined
  const cells: number[] = []
  let left = 0
  for (const [index, cellWidth] of cellWidths.entries()) {
    const isInView = left + cellWidth > scrollLeft - OVERSCAN_PX && left < scrollLeft + width + OVERSCAN_PX
    if (index < stickyOffsets.length || isInView || index === cellWidths.length - 1) cells.push(index)
    left += cellWidth
  }
  return cells
}

/** Returns the same array until other cells are visible. */
export function useVisibleCells(
  scroller: RefObject<HTMLElement | null>,
  layout: ColumnLayout,
  width: number,
): number[] | undefined {
  const [scrollLeft, setScrollLeft] = useState(0)
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const update = () => setScrollLeft(Math.round(element.scrollLeft / STEP_PX) * STEP_PX)
    element.addEventListener('scroll', update, { passive: true })
    return () => element.removeEventListener('scroll', update)
  }, [scroller])
  const cells = visibleCells(layout, scrollLeft, width)
  const key = cells?.join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key contains all of them
  return useMemo(() => cells, [key])
}

/** The indexes of the rendered cells of a row. Without `visible` these are all, and otherwise also the one with the focus. */
export function renderedCells(
  count: number,
  visible: readonly number[] | undefined,
  focused: number | undefined,
): readonly number[] {
  if (!visible) return Array.from({ length: count }, (_, index) => index)
  if (focused === undefined || visible.includes(focused)) return visible
  return [...visible, focused].toSorted((a, b) => a - b)
}
