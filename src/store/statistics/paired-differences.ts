// Statistics of paired differences: means, 95 % confidence intervals and McNemar's exact test. Uses no database.
import { roundStatistic, roundToZero } from './rounding.ts'
import { computeMean, computeSum, findLargest } from './sums.ts'

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

/** The arrays have one entry per pair. Numbers can have any size. */
export interface PairedNumbers {
  baseline: Float64Array
  candidate: Float64Array
  /** Pairs with the same cluster are not independent. Undefined if each pair is its own cluster. */
  clusters: Int32Array | undefined
  /** How many of the pairs are verdicts. */
  verdicts: number
}

/** Standard errors to each side of a 95 % confidence interval. */
export const Z_95 = 1.96

/** The differences before the length of their confidence interval is known. */
export interface MeasuredDifferences extends Omit<PairedDifferenceStatistics, 'interval' | 'side'> {
  /** The number of independent pairs, or of clusters. */
  clusterCount: number
  /** False if all differences are equal, except for rounding errors. Their standard error is 0 then. */
  hasVariance: boolean
  /** The part of a mean difference over `total` pairs that these pairs cause. */
  contributionTo(total: number): number | null
  /** Returns the interval that extends this many standard errors to each side of the mean difference. */
  intervalOf(standardErrors: number): Pick<PairedDifferenceStatistics, 'interval' | 'side'>
}

export const NO_INTERVAL = { interval: null, side: 0 } as const

export function summarizeDifferences(numbers: PairedNumbers): PairedDifferenceStatistics {
  const {
    clusterCount,
    hasVariance: _,
    contributionTo: __,
    intervalOf,
    ...statistics
  } = measureDifferences(numbers)
  return { ...statistics, ...(clusterCount > 1 ? intervalOf(Z_95) : NO_INTERVAL) }
}

export function measureDifferences({
  baseline,
  candidate,
  clusters,
  verdicts,
}: PairedNumbers): MeasuredDifferences {
  const n = candidate.length
  const { differences, divisor, largest } = computeDifferences(candidate, baseline)
  const [base, mean, delta] = [computeMean(baseline), computeMean(candidate), computeMean(differences)]
  const deviations = differences.map((difference) => difference / delta.unit - delta.mean)
  const clusterDeviations = clusters ? sumByCluster(deviations, clusters) : deviations
  const clusterCount = clusterDeviations.length
  const squares = computeSum(clusterDeviations.map((deviation) => deviation * deviation)).sum
  let [higher, lower] = [0, 0]
  for (let row = 0; row < n; row += 1) {
    const [number, base] = [candidate[row] as number, baseline[row] as number]
    if (number > base) higher += 1
    else if (number < base) lower += 1
  }
  const unscale = (value: number) => roundStatistic(value * delta.unit * divisor)
  return {
    n,
    verdicts,
    higher,
    lower,
    base_mean: roundStatistic(base.mean * base.unit),
    mean: roundStatistic(mean.mean * mean.unit),
    delta: unscale(delta.mean),
    clusterCount,
    hasVariance: roundToZero(Math.sqrt(squares), Math.sqrt(n) * (largest / divisor / delta.unit)) !== 0,
    contributionTo: (total) => unscale(delta.mean * (n / total)),
    intervalOf(standardErrors) {
      // The cluster-robust standard error of the mean: the usual one if each row is its own cluster.
      const margin = (standardErrors * Math.sqrt((clusterCount / (clusterCount - 1)) * squares)) / n
      const [low, high] = [delta.mean - margin, delta.mean + margin]
      const [unscaledLow, unscaledHigh] = [unscale(low), unscale(high)]
      return {
        interval: unscaledLow !== null && unscaledHigh !== null ? [unscaledLow, unscaledHigh] : null,
        side: low > 0 ? 1 : high < 0 ? -1 : 0,
      }
    },
  }
}

/** The first minus the second number of each pair, divided by `divisor`, and the largest absolute number. */
export function computeDifferences(
  first: Float64Array,
  second: Float64Array,
): { differences: Float64Array; divisor: number; largest: number } {
  const largest = Math.max(findLargest(first), findLargest(second))
  // Halving avoids overflow of the difference. Small numbers are not halved, because halving could underflow.
  const divisor = largest > 1 ? 2 : 1
  const differences = first.map((number, row) => number / divisor - (second[row] as number) / divisor)
  return { differences, divisor, largest }
}

function sumByCluster(numbers: Float64Array, clusters: Int32Array): Float64Array {
  const sums = new Map<number, number>()
  for (const [row, cluster] of clusters.entries())
    sums.set(cluster, (sums.get(cluster) ?? 0) + (numbers[row] as number))
  return Float64Array.from(sums.values())
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
