// How far a figure is from its base: better or worse, by arrow, colour and word, never up or down.
import { type Direction, directionOf } from '../format/direction.ts'

interface DeltaProps {
  /** This less its base. */
  value: number
  higherIsBetter: boolean
  /** Left out for two verdicts, of which the arrow says it all. */
  format?: ((value: number) => string) | undefined
  /** Said instead of the word that follows from the sign, where more is known: an interval that holds 0 is a tie. */
  outcome?: Direction | null | undefined
  /** What the base is called. */
  base?: string
  /** Only the arrow, and the number where one points at it or listens. */
  isBrief?: boolean
}

export function Delta({
  value,
  higherIsBetter,
  format,
  outcome,
  base = 'the baseline',
  isBrief = false,
}: DeltaProps) {
  const word = outcome ?? directionOf(value, higherIsBetter)
  const amount = format ? `${value < 0 ? '−' : '+'}${format(Math.abs(value))}` : ''
  if (word === 'tied') {
    return (
      <span className="soft" title={['tied', amount].filter(Boolean).join(': ')}>
        ={value === 0 || amount === '' ? '' : ` ${amount}`}
        <span className="unseen"> tied</span>
      </span>
    )
  }
  return (
    <span className={word} title={[amount, `${word} than ${base}`].filter(Boolean).join(': ')}>
      <span aria-hidden="true">{word === 'better' ? '▲' : '▼'}</span>
      <span className={isBrief ? 'unseen' : undefined}>{format?.(Math.abs(value))}</span>
      <span className="unseen"> {word}</span>
    </span>
  )
}
