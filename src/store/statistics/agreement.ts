// How well two evaluators agree: Cohen's kappa of verdicts, and rank correlation of numbers. Uses no database.
import { proportionInterval } from './beta-distribution.ts'
import { computeDifferences } from './measured-differences.ts'
import { roundRate, roundStatistic } from './rounding.ts'
import { computeMean } from './sums.ts'

/** Counts of rows by the verdicts of two evaluators. */
export interface VerdictCounts {
  both_pass: number
  both_fail: number
  /** The rows that pass only with the first evaluator, and only with the second. */
  only_evaluator: number
  only_with: number
}

export interface VerdictStatistics extends VerdictCounts {
  n: number
  /** The statistics are null if they cannot be computed. */
  agreement: number | null
  agreement_interval: [low: number, high: number] | null
  kappa: number | null
  /** 95 % confidence interval of `kappa`. */
  interval: [low: number, high: number] | null
  /** With the verdicts of the second evaluator as the truth. */
  precision: number | null
  recall: number | null
  recall_interval: [low: number, high: number] | null
  specificity: number | null
  specificity_interval: [low: number, high: number] | null
}

export function describeVerdicts(counts: VerdictCounts): VerdictStatistics {
  const { both_pass, both_fail, only_evaluator, only_with } = counts
  const n = both_pass + both_fail + only_evaluator + only_with
  return {
    n,
    both_pass,
    both_fail,
    only_evaluator,
    only_with,
    agreement: roundRate(both_pass + both_fail, n),
    agreement_interval: exactInterval(both_pass + both_fail, n),
    kappa: roundStatistic(computeKappa(counts)),
    interval: computeInterval(counts),
    precision: roundRate(both_pass, both_pass + only_evaluator),
    recall: roundRate(both_pass, both_pass + only_with),
    recall_interval: exactInterval(both_pass, both_pass + only_with),
    specificity: roundRate(both_fail, both_fail + only_evaluator),
    specificity_interval: exactInterval(both_fail, both_fail + only_evaluator),
  }
}

/** The exact 95 % confidence interval of a fraction of two counts. Null if the second one is 0. */
export function exactInterval(count: number, total: number): [low: number, high: number] | null {
  if (total === 0) return null
  const [low, high] = proportionInterval(count, total, 0.95)
  return [roundStatistic(low) as number, roundStatistic(high) as number]
}

/** Standard errors to each side of a 95 % confidence interval. */
const Z_95 = 1.96

/** Cohen 1960. NaN if all verdicts are equal, because chance alone would agree then. */
function computeKappa(counts: VerdictCounts): number {
  const { both_pass: a, only_evaluator: b, only_with: c, both_fail: d } = counts
  return (2 * (a * d - b * c)) / ((a + b) * (b + d) + (a + c) * (c + d))
}

function computeInterval(counts: VerdictCounts): VerdictStatistics['interval'] {
  const kappa = computeKappa(counts)
  if (Number.isNaN(kappa)) return null
  const margin = Z_95 * computeStandardError(counts)
  const [low, high] = [
    roundStatistic(Math.max(-1, kappa - margin)),
    roundStatistic(Math.min(1, kappa + margin)),
  ]
  return low === null || high === null ? null : [low, high]
}

/**
 * The large-sample standard error of Fleiss, Cohen & Everitt 1969, multiplied out. It is a difference of large terms, so it is
 * computed in integers: with doubles, rounding errors would remain where it is 0.
 */
function computeStandardError(counts: VerdictCounts): number {
  const { both_pass, only_evaluator, only_with, both_fail } = counts
  const [a, b, c, d] = [BigInt(both_pass), BigInt(only_evaluator), BigInt(only_with), BigInt(both_fail)]
  const n = a + b + c + d
  const differing = b + c
  /** Expected agreement, times n². */
  const expected = (a + b) * (a + c) + (c + d) * (b + d)
  /** Expected disagreement, times n². */
  const unexpected = n * n - expected
  const equalTerms =
    a * (unexpected - (2n * a + differing) * differing) ** 2n +
    d * (unexpected - (2n * d + differing) * differing) ** 2n
  const differingTerms = differing ** 2n * (b * (a + 2n * c + d) ** 2n + c * (a + 2n * b + d) ** 2n)
  const mean = n * (n * (a + d) - expected) - expected * differing
  const variance = n * (n * (equalTerms + differingTerms) - mean ** 2n)
  return Math.sqrt(Number(variance)) / Number(unexpected) ** 2
}

export interface Threshold {
  threshold: number
  counts: VerdictCounts
}

export interface ThresholdSearch {
  /** The scores of the rows that pass and of those that fail with the other evaluator. Both are sorted in place. */
  passing: Float64Array
  failing: Float64Array
  higherIsBetter: boolean
  /** Breaks ties. */
  declared: number | null
}

/**
 * The score with the highest kappa as threshold. Of several, the one with the highest agreement, then the closest to the declared
 * threshold, then the lowest. Null if all rows have the same verdict: no threshold is better than chance then.
 */
export function findBestThreshold(search: ThresholdSearch): Threshold | null {
  const { higherIsBetter, declared } = search
  // Negated, lower scores are better.
  const sign = higherIsBetter ? 1 : -1
  const [passing, failing] = [search.passing, search.failing].map((scores) =>
    (higherIsBetter ? scores : scores.map((score) => -score)).sort(),
  ) as [Float64Array, Float64Array]
  if (passing.length === 0 || failing.length === 0) return null
  let best: (Threshold & { kappa: number; order: number[] }) | undefined
  let [passingBelow, failingBelow] = [0, 0]
  while (passingBelow < passing.length || failingBelow < failing.length) {
    const score = Math.min(passing[passingBelow] ?? Infinity, failing[failingBelow] ?? Infinity)
    const counts: VerdictCounts = {
      both_pass: passing.length - passingBelow,
      only_with: passingBelow,
      only_evaluator: failing.length - failingBelow,
      both_fail: failingBelow,
    }
    const kappa = computeKappa(counts)
    if (best === undefined || kappa >= best.kappa) {
      const threshold = sign * score
      const distance = declared === null ? 0 : Math.abs(threshold - declared)
      const order = [kappa, counts.both_pass + counts.both_fail, -distance, -threshold]
      if (best === undefined || isGreater(order, best.order)) best = { threshold, counts, kappa, order }
    }
    while (passing[passingBelow] === score) passingBelow += 1
    while (failing[failingBelow] === score) failingBelow += 1
  }
  return best ? { threshold: best.threshold, counts: best.counts } : null
}

export interface ThresholdKappa {
  threshold: number
  kappa: number | null
  interval: VerdictStatistics['interval']
}

/** Kappa with up to `limit` scores as the threshold: quantiles of all scores, from the lowest to the highest. */
export function listThresholds(
  { passing, failing, higherIsBetter }: Omit<ThresholdSearch, 'declared'>,
  limit: number,
): ThresholdKappa[] {
  if (passing.length === 0 || failing.length === 0) return []
  const sides = [passing.toSorted(), failing.toSorted()] as const
  const distinct = new Set(new Float64Array([...sides[0], ...sides[1]]).sort())
  const scores = [...distinct]
  const last = Math.min(limit, scores.length) - 1
  const thresholds = Array.from({ length: last + 1 }, (_, step) =>
    last === 0 ? scores[0] : scores[Math.round((step * (scores.length - 1)) / last)],
  ) as number[]
  return thresholds.map((threshold) => {
    const [passes, fails] = sides.map((scores) => countPasses(scores, threshold, higherIsBetter))
    const [both_pass, only_evaluator] = [passes as number, fails as number]
    const counts = {
      ...{ both_pass, only_evaluator },
      only_with: passing.length - both_pass,
      both_fail: failing.length - only_evaluator,
    }
    return { threshold, kappa: roundStatistic(computeKappa(counts)), interval: computeInterval(counts) }
  })
}

/** How many sorted scores reach the threshold, which can be one of them. */
function countPasses(sorted: Float64Array, threshold: number, higherIsBetter: boolean): number {
  let [start, end] = [0, sorted.length]
  while (start < end) {
    const middle = (start + end) >>> 1
    const score = sorted[middle] as number
    if (higherIsBetter ? score < threshold : score <= threshold) start = middle + 1
    else end = middle
  }
  return higherIsBetter ? sorted.length - start : start
}

/** Compares the first numbers that differ. */
function isGreater(numbers: number[], others: number[]): boolean {
  const index = numbers.findIndex((number, index) => number !== others[index])
  return index !== -1 && (numbers[index] as number) > (others[index] as number)
}

/** Spearman's rank correlation of ranks from `centerRanks`. Null if all ranks of a list are equal. */
export function correlateRanks(first: Float64Array, second: Float64Array): number | null {
  let [products, firstSquares, secondSquares] = [0, 0, 0]
  for (let row = 0; row < first.length; row += 1) {
    const [firstRank, secondRank] = [first[row] as number, second[row] as number]
    products += firstRank * secondRank
    firstSquares += firstRank * firstRank
    secondSquares += secondRank * secondRank
  }
  return roundStatistic(products / Math.sqrt(firstSquares * secondSquares))
}

/**
 * The distance of each rank from the mean rank, times 2: integers, whose products are added without rounding errors. Equal
 * numbers have the mean of their ranks.
 */
export function centerRanks(numbers: Float64Array): Float64Array {
  const sorted = numbers.toSorted()
  const distinct = new Float64Array(sorted.length)
  const ranks = new Float64Array(sorted.length)
  let count = 0
  for (let start = 0; start < sorted.length; count += 1) {
    let end = start + 1
    while (sorted[end] === sorted[start]) end += 1
    distinct[count] = sorted[start] as number
    ranks[count] = start + end - sorted.length
    start = end
  }
  return numbers.map((number) => ranks[findIndex(distinct, count, number)] as number)
}

/** The index of a number in the first `count` numbers, which are sorted. */
function findIndex(sorted: Float64Array, count: number, number: number): number {
  let [start, end] = [0, count - 1]
  while (start < end) {
    const middle = (start + end) >>> 1
    if ((sorted[middle] as number) < number) start = middle + 1
    else end = middle
  }
  return start
}

/** Null if there are no numbers or the mean does not fit a double. */
export function computeMeanDistance(first: Float64Array, second: Float64Array): number | null {
  const { differences, divisor } = computeDifferences(first, second)
  const { mean, unit } = computeMean(differences.map(Math.abs))
  return roundStatistic(mean * unit * divisor)
}
