// The smallest change that a comparison would have shown with a probability of 80 %. Uses no database.
import { betaQuantile } from './beta-distribution.ts'
import { normalQuantile, normalTail } from './normal-distribution.ts'

const POWER = 0.8
/** The normal distribution has the same tail on each side. */
const POWER_QUANTILE = normalQuantile(2 * POWER - 1)

/** With more changed rows, the normal approximation has an error of less than 0.3 % of the power. */
const MAX_EXACT_CHANGES = 1000
/** The result has an error of at most 2 ** -STEPS. */
const STEPS = 30
const NEGLIGIBLE = 1e-12

/**
 * The smallest true change of a pass rate for which McNemar's exact test rejects with a probability of 80 %, if the share of
 * changed rows is the observed one. A larger change than this share has one direction only. Null if there is none.
 */
export function detectableRateChange(n: number, changedShare: number, confidence: number): number | null {
  const error = (1 - confidence) / 2
  const fewestChanges = Math.ceil(-Math.log2(error))
  if (fewestChanges > n) return null
  const oneDirection = betaQuantile(POWER, fewestChanges, n - fewestChanges + 1)
  if (oneDirection >= changedShare) return oneDirection
  const powerOf =
    n * changedShare <= MAX_EXACT_CHANGES
      ? exactPower(n, changedShare, error)
      : approximatePower(n, changedShare, confidence)
  let [low, high] = [0, changedShare]
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2
    if (powerOf(middle) < POWER) low = middle
    else high = middle
  }
  return high
}

/** The smallest true mean for which the t test rejects, for a standard error of 1 (N. L. Johnson & B. L. Welch 1940). */
export function detectableStandardErrors(quantile: number, degreesOfFreedom: number): number {
  const spread = Math.sqrt(1 + (quantile * quantile) / (2 * degreesOfFreedom))
  return quantile * (1 - 1 / (4 * degreesOfFreedom)) + POWER_QUANTILE * spread
}

/** Each probability that McNemar's test rejects for a number of changed rows, weighted with that of the number. */
function exactPower(n: number, share: number, error: number): (change: number) => number {
  const { first, weights } = binomialWeights(n, share)
  const counts = criticalCounts(first + weights.length - 1, error)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return (change) => {
    const tails = binomialTails(counts, (share - change) / (2 * share))
    return weights.reduce((sum, weight, index) => sum + weight * (tails[first + index] as number), 0) / total
  }
}

/** McNemar's test with a continuity correction of 1, which is close to the exact test. */
function approximatePower(n: number, share: number, confidence: number): (change: number) => number {
  const margin = 1 + normalQuantile(confidence) * Math.sqrt(n * share)
  return (change) => normalTail((margin - n * change) / Math.sqrt(n * (share - change * change)))
}

/** Probabilities of the binomial distribution as multiples of the largest one, without the negligible ones. */
function binomialWeights(n: number, share: number): { first: number; weights: number[] } {
  const mode = Math.min(n, Math.floor((n + 1) * share))
  const odds = share / (1 - share)
  const weights = [1]
  for (let k = mode, weight = 1; k < n && weight > NEGLIGIBLE; k += 1) {
    weight *= ((n - k) / (k + 1)) * odds
    weights.push(weight)
  }
  let first = mode
  for (let weight = 1; first > 0 && weight > NEGLIGIBLE; first -= 1) {
    weight *= first / (n - first + 1) / odds
    weights.unshift(weight)
  }
  return { first, weights }
}

/** By number of changed rows: the largest number of rows in the rarer direction for which the test rejects, or -1. */
function criticalCounts(last: number, error: number): Int32Array {
  const counts = new Int32Array(last + 1).fill(-1)
  let tail: Tail = { count: -1, below: 0, equal: 0 }
  for (let total = 1; total <= last; total += 1) {
    tail = addTrial(tail, total, 0.5)
    const next = addCount(tail, total, 0.5)
    if (next.below <= error) tail = next
    counts[total] = tail.count
  }
  return counts
}

/** By number of changed rows: the probability of at most the critical count. */
function binomialTails(counts: Int32Array, probability: number): Float64Array {
  const tails = new Float64Array(counts.length)
  let tail: Tail = { count: -1, below: 0, equal: 0 }
  for (let total = 1; total < counts.length; total += 1) {
    tail = addTrial(tail, total, probability)
    if (counts[total] !== tail.count) tail = addCount(tail, total, probability)
    tails[total] = tail.below
  }
  return tails
}

/** The binomial probabilities of at most `count`, and of exactly `count`. */
interface Tail {
  count: number
  below: number
  equal: number
}

function addTrial({ count, below, equal }: Tail, total: number, probability: number): Tail {
  if (count < 0) return { count, below, equal }
  const nextEqual = (equal * total * (1 - probability)) / (total - count)
  return { count, below: below - probability * equal, equal: nextEqual }
}

function addCount({ count, below, equal }: Tail, total: number, probability: number): Tail {
  const next =
    count < 0
      ? (1 - probability) ** total
      : ((equal * (total - count)) / (count + 1)) * (probability / (1 - probability))
  return { count: count + 1, below: below + next, equal: next }
}
