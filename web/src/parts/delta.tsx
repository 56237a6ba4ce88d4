// How far a figure is from its base: better or worse, by arrow, colour and word, never up or down.
interface DeltaProps {
  /** This less its base. */
  value: number
  higherIsBetter: boolean
  format: (value: number) => string
  /** Said instead of the word that follows from the sign, where more is known: an interval that holds 0 is a tie. */
  outcome?: 'better' | 'worse' | 'tied' | null | undefined
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
  const word = outcome ?? wordOf(value, higherIsBetter)
  if (word === 'tied') {
    return (
      <span className="soft" title={`tied: ${signed(value, format)}`}>
        ={value === 0 ? '' : ` ${signed(value, format)}`}
        <span className="unseen"> tied</span>
      </span>
    )
  }
  return (
    <span className={word} title={`${signed(value, format)}: ${word} than ${base}`}>
      <span aria-hidden="true">{word === 'better' ? '▲' : '▼'}</span>
      <span className={isBrief ? 'unseen' : undefined}>{format(Math.abs(value))}</span>
      <span className="unseen"> {word}</span>
    </span>
  )
}

function wordOf(value: number, higherIsBetter: boolean): 'better' | 'worse' | 'tied' {
  if (value === 0) return 'tied'
  return value > 0 === higherIsBetter ? 'better' : 'worse'
}

function signed(value: number, format: (value: number) => string): string {
  return `${value < 0 ? '−' : '+'}${format(Math.abs(value))}`
}
