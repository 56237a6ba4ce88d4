// The difference to the baseline, as better or worse: an arrow, a color, and a word for screen readers.
import { type Direction, directionOf } from '../format/direction.ts'

interface DeltaProps {
  /** The value minus that of the baseline. */
  value: number
  higherIsBetter: boolean
  /** Omitted for verdicts, where the arrow is enough. */
  format?: ((value: number) => string) | undefined
  /** Overrides the direction given by the sign: a confidence interval that contains 0 is a tie. */
  outcome?: Direction | null | undefined
  /** The name of the baseline. */
  baselineName?: string
  /** Shows only the arrow. The number is in the tooltip and for screen readers. */
  isArrowOnly?: boolean
}

export function Delta({
  value,
  higherIsBetter,
  format,
  outcome,
  baselineName = 'the baseline',
  isArrowOnly = false,
}: DeltaProps) {
  const direction = outcome ?? directionOf(value, higherIsBetter)
  const amount = format ? `${value < 0 ? '−' : '+'}${format(Math.abs(value))}` : ''
  if (direction === 'tied') {
    return (
      <span className="muted" title={['tied', amount].filter(Boolean).join(': ')}>
        ={value === 0 || amount === '' ? '' : ` ${amount}`}
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
      <span className={isArrowOnly ? 'sr-only' : undefined}>{format?.(Math.abs(value))}</span>
      <span className="sr-only"> {direction}</span>
    </span>
  )
}
