// The direction of a change: better, worse or tied.
export type Direction = 'better' | 'worse' | 'tied'

/** `difference` is the value minus that of the baseline. */
export function directionOf(difference: number, higherIsBetter: boolean): Direction {
  if (difference === 0) return 'tied'
  return difference > 0 === higherIsBetter ? 'better' : 'worse'
}
