// The confidence interval of the change between two pass rates of the same rows. Uses no database.
import { proportionInterval } from './beta-distribution.ts'
import { exactMcNemar } from './mcnemar-test.ts'
import { normalQuantile } from './normal-distribution.ts'

/** Rows by their change. */
export interface VerdictChanges {
  n: number
  /** Rows that pass only in the candidate, and only in the baseline. */
  higher: number
  lower: number
}

/**
 * Continuity correction, in rows. With it the interval contains the true change in at least 94 % of the cases, from 6 rows on and
 * for all confidence levels of groups; without it in 91 %.
 */
const CONTINUITY_CORRECTION = 0.5

/**
 * Tango's score interval (T. Tango, Statistics in Medicine 17 (1998), 891–908) with a correction for skewness (P. J. Laud,
 * Pharmaceutical Statistics 16 (2017), 334–348). It excludes 0 exactly if McNemar's exact test rejects.
 */
export function verdictInterval(changes: VerdictChanges, confidence: number): [low: number, high: number] {
  const { n, higher, lower } = changes
  const z = normalQuantile(confidence)
  const reversed = { n, higher: lower, lower: higher }
  const [low, high] = [lowerBound(changes, z), -lowerBound(reversed, z)]
  if (exactMcNemar(lower, higher) > 1 - confidence) return [Math.min(0, low), Math.max(0, high)]
  // At high confidence levels the score interval can contain 0 although the exact test rejects.
  return higher > lower
    ? [low > 0 ? low : exactLowerBound(changes, confidence), high]
    : [low, high < 0 ? high : -exactLowerBound(reversed, confidence)]
}

/** The smallest share of changed rows, times the smallest balance of their directions. Positive if McNemar's test rejects. */
function exactLowerBound({ n, higher, lower }: VerdictChanges, confidence: number): number {
  const changed = higher + lower
  const [share] = proportionInterval(changed, n, confidence)
  const [proportion] = proportionInterval(higher, changed, confidence)
  return share * (2 * proportion - 1)
}

/** The smallest change that the score test does not reject, by bisection. */
function lowerBound(changes: VerdictChanges, z: number): number {
  let [low, high] = [-1, (changes.higher - changes.lower) / changes.n]
  for (;;) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) return low
    if (isTooLow(changes, middle, z)) low = middle
    else high = middle
  }
}

/** Whether the observed change is larger than a true change of `delta` explains. */
function isTooLow(changes: VerdictChanges, delta: number, z: number): boolean {
  const { n, higher, lower } = changes
  const share = mostLikelyShare(changes, delta)
  const variance = share - delta * delta
  if (variance <= 0) return higher - lower > n * delta
  // The third central moment of a row, divided by the variance.
  const skewness = (delta - 3 * delta * share + 2 * delta ** 3) / variance
  // The first terms of the Cornish–Fisher expansion of the quantile of the sum of all changes.
  const margin = z * Math.sqrt(n * variance) + (skewness * (z * z - 1)) / 6
  return higher - lower - CONTINUITY_CORRECTION - n * delta > margin
}

/** The most likely share of changed rows if the true change is `delta`. */
function mostLikelyShare({ n, higher, lower }: VerdictChanges, delta: number): number {
  // The share of rows that become lower is the larger root of a quadratic equation.
  const linear = (2 * n - higher + lower) * delta - higher - lower
  const constant = -lower * delta * (1 - delta)
  const root = Math.sqrt(Math.max(0, linear * linear - 8 * n * constant))
  // Of two equal formulas, the one that does not subtract similar numbers.
  const lowerShare = linear > 0 ? (-2 * constant) / (root + linear) : (root - linear) / (4 * n)
  return 2 * Math.max(lowerShare, -delta, 0) + delta
}
