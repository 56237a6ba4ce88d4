// Icons: Lucide with one stroke width, and the triangle of changes. They are decoration: the text next to them, or the label
// of their button, says the same.
import type { IconNode } from 'lucide'
import { createElement } from 'react'

const STROKE_WIDTH = 1.75

/** The shapes of an icon, as elements in a square of 24. */
export type IconType = IconNode

export function Icon({ icon, size = 16 }: { icon: IconType; size?: 12 | 14 | 16 }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={STROKE_WIDTH}
      strokeLinecap="round"
      strokeLinejoin="round"
      className="icon"
    >
      {icon.map(([tag, attributes], index) => createElement(tag, { key: index, ...attributes }))}
    </svg>
  )
}

/** Up is better, down is worse. */
export function Triangle({ direction }: { direction: 'better' | 'worse' }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 8 8" width="8" height="8" className={`icon ${direction}`}>
      <path d={direction === 'better' ? 'M4 1 8 7.5H0Z' : 'M4 7 8 .5H0Z'} fill="currentColor" />
    </svg>
  )
}
