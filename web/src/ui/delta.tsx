// The change against the baseline, marked as better, worse or tied: a triangle, a sign, a color, and a word for screen readers.
import type { ReactNode } from 'react'
import { type Direction, directionOf } from '../format/direction.ts'
import styles from './delta.module.css'
import { Triangle } from './icon.tsx'

interface DeltaProps {
  /** The value minus the value of the baseline. */
  difference: number
  higherIsBetter: boolean
  /** Formats the absolute difference. Without it, only the triangle is shown, as for verdicts. */
  format?: ((value: number) => string) | undefined
  /** Overrides the direction that follows from the sign, for example if the confidence interval contains 0. */
  direction?: Direction | null | undefined
  /** The name of the baseline. */
  baselineName?: string | undefined
  /** Shows only the triangle. The tooltip and screen readers still have the number. */
  isTriangleOnly?: boolean
}

export function Delta({
  difference,
  higherIsBetter,
  format,
  direction: givenDirection,
  baselineName = 'the baseline',
  isTriangleOnly = false,
}: DeltaProps) {
  const direction = givenDirection ?? directionOf(difference, higherIsBetter)
  const amount = format ? signed(difference, format) : ''
  if (direction === 'tied') {
    return (
      <span
        className={`quiet ${styles.delta}`}
        data-tooltip={amount && `Tied with ${baselineName}: ${amount}`}
      >
        <span>{difference === 0 || amount === '' ? 'tied' : amount}</span>
        {difference !== 0 && amount !== '' && <span className="sr-only">tied</span>}
      </span>
    )
  }
  return (
    <span
      className={`${direction} ${styles.delta}`}
      data-tooltip={[`${direction === 'better' ? 'Better' : 'Worse'} than ${baselineName}`, amount]
        .filter(Boolean)
        .join(': ')}
    >
      <Triangle direction={direction} />
      <span className={isTriangleOnly ? 'sr-only' : undefined}>{amount}</span>
      <span className="sr-only">{direction}</span>
    </span>
  )
}

/** "+0.049", "−22.3". */
function signed(difference: number, format: (value: number) => string): string {
  const amount = format(Math.abs(difference))
  return difference === 0 ? amount : `${difference < 0 ? '−' : '+'}${amount}`
}

/** A value and its change in two slots of fixed width. */
export function ValueAndChange({ value, change }: { value: ReactNode; change?: ReactNode }) {
  return (
    <span className={styles.pair}>
      <span>{value}</span>
      <span>{change}</span>
    </span>
  )
}
