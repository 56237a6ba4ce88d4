// Distributes a limited height among values: texts come before JSON, short values have the height they need, and long ones
// share the rest.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** About three lines. With many long values, the box hides the last ones instead. */
const MIN_SHARE = 76

interface SharedHeight {
  /** The element with the limit (`max-height`). Its descendants with `data-shares-height` ('first' or 'last') are limited. */
  box: RefObject<HTMLDListElement | null>
  /** Whether a value is not shown completely. */
  isCut: boolean
}

export function useSharedHeight({ isLimited }: { isLimited: boolean }): SharedHeight {
  const box = useRef<HTMLDListElement>(null)
  const [isCut, setIsCut] = useState(false)
  // After every render, because the values can be replaced.
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const values = [...element.querySelectorAll<HTMLElement>('[data-shares-height]')]
    const update = () => setIsCut(distribute(element, values, isLimited))
    const observer = new ResizeObserver(update)
    // Their contents can load later. They have their full height, so that a new limit does not change their size.
    for (const { firstElementChild } of values) if (firstElementChild) observer.observe(firstElementChild)
    addEventListener('resize', update)
    return () => {
      observer.disconnect()
      removeEventListener('resize', update)
    }
  })
  return { box, isCut }
}

function distribute(box: HTMLElement, values: HTMLElement[], isLimited: boolean): boolean {
  const heights = values.map(({ firstElementChild }) => firstElementChild?.clientHeight ?? 0)
  // Padding, and names that are higher than their values.
  const others = box.scrollHeight - sum(values.map(({ clientHeight }) => clientHeight))
  const limit = isLimited ? Number.parseFloat(getComputedStyle(box).maxHeight) : Number.POSITIVE_INFINITY
  const isLast = values.map(({ dataset }) => dataset.sharesHeight === 'last')
  const limits = limitHeights(heights, isLast, limit - others)
  for (const [index, value] of values.entries()) {
    const maxHeight = limits[index] ?? 0
    const isLong = (heights[index] ?? 0) > maxHeight
    value.style.maxHeight = isLong ? `${maxHeight}px` : ''
    value.toggleAttribute('data-cut', isLong)
  }
  return (
    heights.some((height, index) => height > (limits[index] ?? 0)) || box.scrollHeight > box.clientHeight + 1
  )
}

/** The largest height of each value. Those in `isLast` have what the others leave. */
export function limitHeights(
  heights: readonly number[],
  isLast: readonly boolean[],
  total: number,
): number[] {
  const [first, last] = [
    heights.filter((_, index) => !isLast[index]),
    heights.filter((_, index) => isLast[index]),
  ]
  const reserved = sum(last.map((height) => Math.min(height, MIN_SHARE)))
  const firstShare = Math.max(MIN_SHARE, shareOf(first, total - reserved))
  const used = sum(first.map((height) => Math.min(height, firstShare)))
  const lastShare = Math.max(MIN_SHARE, shareOf(last, total - used))
  return isLast.map((isOneOfLast) => (isOneOfLast ? lastShare : firstShare))
}

/** The height that each value can have, so that all together have the total height; infinite if it is enough for all. */
function shareOf(heights: readonly number[], total: number): number {
  let rest = total
  for (const [index, height] of heights.toSorted((a, b) => a - b).entries()) {
    const share = rest / (heights.length - index)
    if (height > share) return share
    rest -= height
  }
  return Number.POSITIVE_INFINITY
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
