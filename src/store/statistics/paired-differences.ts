// Statistics of paired differences: means, 95 % confidence intervals and McNemar's exact test. Uses no database.
import { finiteOrNull, roundToZero } from './rounding.ts'

export interface PairedDifferenceStatistics {
  /** Number of pairs with a number on both sides. */
  n: number
  /** How many of the pairs are verdicts. */
  verdicts: number
  /** Number of pairs in which the candidate is higher than the baseline. */
  higher: number
  /** Number of pairs in which the candidate is lower than the baseline. */
  lower: number
  /** These are null if n is 0 or the value does not fit a double. */
  base_mean: number | null
  mean: number | null
  delta: number | null
  /** 95 % confidence interval of `delta`. */
  interval: [low: number, high: number] | null
  /** The sign of the whole interval; 0 if it contains zero or there is none. */
  side: -1 | 0 | 1
}

/** A sum and the sum of absolute values, scaled so that they do not overflow. */
interface Sum {
  sum: number
  absoluteSum: number
  /** Converts a scaled value back. */
  unscale(value: number): number
}

export interface Differences {
  baseline: Sum
  candidate: Sum
  delta: Sum
  /** Sum of the squared deviations per cluster, in the scale of `delta`. */
  squares: number
  clusters: number
}

/** Standard errors to each side of a 95 % confidence interval. */
const Z_95 = 1.96

export function summarizeDifferences(
  { n, verdicts, higher, lower }: Pick<PairedDifferenceStatistics, 'n' | 'verdicts' | 'higher' | 'lower'>,
  { baseline, candidate, delta, squares, clusters }: Differences,
): PairedDifferenceStatistics {
  const meanDelta = computeMean(delta, n)
  const margin = Z_95 * computeStandardError(squares, n, clusters)
  const hasInterval = clusters > 1
  const [low, high] = [meanDelta - margin, meanDelta + margin]
  return {
    n,
    verdicts,
    higher,
    lower,
    base_mean: n === 0 ? null : finiteOrNull(baseline.unscale(computeMean(baseline, n))),
    mean: n === 0 ? null : finiteOrNull(candidate.unscale(computeMean(candidate, n))),
    delta: n === 0 ? null : finiteOrNull(delta.unscale(meanDelta)),
    interval: hasInterval ? bothFinite(delta.unscale(low), delta.unscale(high)) : null,
    side: hasInterval && low > 0 ? 1 : hasInterval && high < 0 ? -1 : 0,
  }
}

function computeMean({ sum, absoluteSum }: Sum, n: number): number {
  return roundToZero(sum, absoluteSum) / n
}

/** The cluster-robust standard error of the mean: the usual one if each row is its own cluster. */
function computeStandardError(squares: number, n: number, clusters: number): number {
  return Math.sqrt((clusters / (clusters - 1)) * squares) / n
}

function bothFinite(low: number, high: number): [number, number] | null {
  return Number.isFinite(low) && Number.isFinite(high) ? [low, high] : null
}

/** The arrays have one entry per pair: both numbers, of any size, and the cluster. */
export function computeDifferences(
  baseline: Float64Array,
  candidate: Float64Array,
  clusters: Float64Array,
): Differences {
  // Halving avoids overflow of the difference. Small numbers are not halved, because halving could underflow.
  const divisor = Math.max(findLargest(baseline), findLargest(candidate)) > 1 ? 2 : 1
  const differences = candidate.map((number, row) => number / divisor - (baseline[row] ?? 0) / divisor)
  const delta = computeSum(differences, divisor)
  const unit = findLargest(differences) || 1
  const deviations = new Map<number, number>()
  for (const [row, difference] of differences.entries()) {
    const cluster = clusters[row] ?? row
    deviations.set(
      cluster,
      (deviations.get(cluster) ?? 0) + difference / unit - delta.sum / differences.length,
    )
  }
  const squares = deviations.values().reduce((total, deviation) => total + deviation * deviation, 0)
  return {
    baseline: computeSum(baseline),
    candidate: computeSum(candidate),
    delta,
    squares,
    clusters: deviations.size,
  }
}

/** Scales by the largest absolute value. `factor` is applied when unscaling. */
function computeSum(numbers: Float64Array, factor = 1): Sum {
  const unit = findLargest(numbers) || 1
  let [sum, absoluteSum] = [0, 0]
  for (const number of numbers) {
    sum += number / unit
    absoluteSum += Math.abs(number / unit)
  }
  return { sum, absoluteSum, unscale: (value) => value * unit * factor }
}

function findLargest(numbers: Float64Array): number {
  return numbers.reduce((largest, number) => Math.max(largest, Math.abs(number)), 0)
}

/**
 * McNemar's exact test, two-sided: the probability of a split at least this uneven if improvements and regressions are
 * equally likely.
 */
export function exactMcNemar(regressions: number, improvements: number): number {
  const changedCount = regressions + improvements
  const fewerCount = Math.min(regressions, improvements)
  if (changedCount === 0 || regressions === improvements) return 1
  let logarithm = -changedCount * Math.LN2
  for (let k = 1; k <= fewerCount; k += 1) logarithm += Math.log((changedCount - fewerCount + k) / k)
  // Sums the binomial tail from its largest term downwards, each term by its ratio to the previous one.
  let [term, sum] = [1, 1]
  for (let k = fewerCount; k > 0 && term > Number.EPSILON / 16; k -= 1) {
    term *= k / (changedCount - k + 1)
    sum += term
  }
  return Math.min(1, 2 * sum * Math.exp(logarithm))
}
