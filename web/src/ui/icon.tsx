// Icons: Lucide with one stroke width, and the triangle of changes. They are decoration: the text next to them, or the label
// of their button, says the same.
import type { LucideIcon } from 'lucide-react'

const STROKE_WIDTH = 1.75

export type IconType = LucideIcon

export function Icon({ icon: Svg, size = 16 }: { icon: IconType; size?: 12 | 14 | 16 }) {
  return <Svg aria-hidden="true" size={size} strokeWidth={STROKE_WIDTH} className="icon" />
}

/** Up is better, down is worse. */
export function Triangle({ direction }: { direction: 'better' | 'worse' }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 8 8" width="8" height="8" className={`icon ${direction}`}>
      <path d={direction === 'better' ? 'M4 1 8 7.5H0Z' : 'M4 7 8 .5H0Z'} fill="currentColor" />
    </svg>
  )
}
