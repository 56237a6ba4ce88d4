// Which way a figure went: better or worse, never up or down.
export type Direction = 'better' | 'worse' | 'tied'

/** `difference` is the figure less what it is compared with. */
export function directionOf(difference: number, higherIsBetter: boolean): Direction {
  if (difference === 0) return 'tied'
  return difference > 0 === higherIsBetter ? 'better' : 'worse'
}
