// McNemar's exact test of changed rows. Uses no database.
import { betaProbability } from './beta-distribution.ts'

/** The two-sided p-value: the probability of changes at least this uneven if both directions are equally likely. */
export function exactMcNemar(lower: number, higher: number): number {
  if (lower === higher) return 1
  return Math.min(1, 2 * betaProbability(0.5, Math.max(lower, higher), Math.min(lower, higher) + 1))
}
