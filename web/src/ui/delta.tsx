// The difference from the baseline, marked as better, worse or tied: a sign, a color, and a word for screen readers.
import { type Direction, directionOf } from '../format/direction.ts'

interface DeltaProps {
  /** The value minus the value of the baseline. */
  difference: number
  higherIsBetter: boolean
  /** Formats the absolute difference. Without it, only the arrow is shown, as for verdicts. */
  format?: ((value: number) => string) | undefined
  /** Overrides the direction that follows from the sign, for example if the confidence interval contains 0. */
  direction?: Direction | null | undefined
  /** The name of the baseline. */
  baselineName?: string
  /** Shows only the arrow. The tooltip and screen readers still have the number. */
  isArrowOnly?: boolean
}

export function Delta({
  difference,
  higherIsBetter,
  format,
  direction: givenDirection,
  baselineName = 'the baseline',
  isArrowOnly = false,
}: DeltaProps) {
  const direction = givenDirection ?? directionOf(difference, higherIsBetter)
  const amount = format ? `${difference < 0 ? '−' : '+'}${format(Math.abs(difference))}` : ''
  if (direction === 'tied') {
    return (
      <span className="muted" title={['tied', amount].filter(Boolean).join(': ')}>
        ={difference === 0 || amount === '' ? '' : ` ${amount}`}
        <span className="sr-only"> tied</span>
      </span>
    )
  }
  return (
    <span
      className={direction}
      title={[amount, `${direction} than ${baselineName}`].filter(Boolean).join(': ')}
    >
      <span aria-hidden="true">{direction === 'better' ? '▲' : '▼'}</span>
      <span className={isArrowOnly ? 'sr-only' : undefined}>{format?.(Math.abs(difference))}</span>
      <span className="sr-only"> {direction}</span>
    </span>
  )
}
