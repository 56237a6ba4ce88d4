// The class of a joined row by its score difference.
import type { RowClass } from '../../schema/comparisons.ts'

/** The difference is NaN if the scores of the pair cannot be compared. */
export function classifyDelta(delta: number, higherIsBetter: boolean): RowClass {
  if (Number.isNaN(delta)) return 'incomparable'
  if (delta === 0) return 'same'
  return delta > 0 === higherIsBetter ? 'improved' : 'regressed'
}
