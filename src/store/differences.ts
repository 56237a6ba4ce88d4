// Means and intervals of paired differences, and how likely so uneven a number of changes is by chance. No database.
import { settled } from './rounding.ts'

export interface PairedFigures {
  /** How many pairs have a number on both sides. */
  n: number
  /** How many of them are verdicts. */
  verdicts: number
  /** In how many the candidate's number is the higher, and the lower one. */
  higher: number
  lower: number
  /** These are null where n is 0, and where a figure is outside of a double's range. */
  base_mean: number | null
  mean: number | null
  delta: number | null
  interval: [low: number, high: number] | null
  /** On which side of zero the whole interval lies; 0 where it lies on both or where there is none. */
  side: -1 | 0 | 1
}

/** A sum and the sum of the same without signs, in a unit in which they are ordinary numbers. */
interface Sum {
  sum: number
  size: number
  /** Out of the unit. */
  scale(value: number): number
}

export interface Differences {
  base: Sum
  candidate: Sum
  delta: Sum
  /** Of what the differences of each cluster are off their mean, added up; in the unit of delta. */
  squares: number
  clusters: number
}
/** So many standard errors to each side hold the true mean in 95 of 100 cases. */
const STANDARD_ERRORS = 1.96

export function describeDifferences(
  { n, verdicts, higher, lower }: Pick<PairedFigures, 'n' | 'verdicts' | 'higher' | 'lower'>,
  { base, candidate, delta, squares, clusters }: Differences,
): PairedFigures {
  const middle = meanOf(delta, n)
  const reach = STANDARD_ERRORS * standardError(squares, n, clusters)
  const isKnown = clusters > 1
  const [low, high] = [middle - reach, middle + reach]
  return {
    n,
    verdicts,
    higher,
    lower,
    base_mean: n === 0 ? null : finite(base.scale(meanOf(base, n))),
    mean: n === 0 ? null : finite(candidate.scale(meanOf(candidate, n))),
    delta: n === 0 ? null : finite(delta.scale(middle)),
    interval: isKnown ? bothFinite(delta.scale(low), delta.scale(high)) : null,
    side: isKnown && low > 0 ? 1 : isKnown && high < 0 ? -1 : 0,
  }
}

function meanOf({ sum, size }: Sum, n: number): number {
  return settled(sum, size) / n
}

/** Where each row is a cluster of its own it is the usual one: the deviation by the root of n. */
function standardError(squares: number, n: number, clusters: number): number {
  return Math.sqrt((clusters / (clusters - 1)) * squares) / n
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

function bothFinite(low: number, high: number): [number, number] | null {
  return Number.isFinite(low) && Number.isFinite(high) ? [low, high] : null
}

/** Of numbers of any size, two for each pair, and the cluster of each pair. */
export function gatherDifferences(
  base: Float64Array,
  candidate: Float64Array,
  clusters: Float64Array,
): Differences {
  // The difference of two that are halved fits a double. Small ones stay whole: they may have no half.
  const half = Math.max(largestOf(base), largestOf(candidate)) > 1 ? 2 : 1
  const differences = candidate.map((number, row) => number / half - (base[row] ?? 0) / half)
  const delta = sumOf(differences, half)
  const unit = largestOf(differences) || 1
  const off = new Map<number, number>()
  for (const [row, difference] of differences.entries()) {
    const cluster = clusters[row] ?? row
    off.set(cluster, (off.get(cluster) ?? 0) + difference / unit - delta.sum / differences.length)
  }
  const squares = off.values().reduce((total, one) => total + one * one, 0)
  return { base: sumOf(base), candidate: sumOf(candidate), delta, squares, clusters: off.size }
}

/** In parts of the largest. */
function sumOf(numbers: Float64Array, times = 1): Sum {
  const unit = largestOf(numbers) || 1
  let [sum, size] = [0, 0]
  for (const number of numbers) {
    sum += number / unit
    size += Math.abs(number / unit)
  }
  return { sum, size, scale: (value) => value * unit * times }
}

function largestOf(numbers: Float64Array): number {
  return numbers.reduce((largest, number) => Math.max(largest, Math.abs(number)), 0)
}

/**
 * How likely it is that verdicts change at least as unevenly where better and worse are equally likely: McNemar's exact
 * test, two-sided.
 */
export function exactMcNemar(worse: number, better: number): number {
  const changed = worse + better
  const fewer = Math.min(worse, better)
  if (changed === 0 || worse === better) return 1
  let logarithm = -changed * Math.LN2
  for (let chosen = 1; chosen <= fewer; chosen += 1)
    logarithm += Math.log((changed - fewer + chosen) / chosen)
  // From the most likely count downwards, each by its ratio to the one before.
  let [term, sum] = [1, 1]
  for (let chosen = fewer; chosen > 0 && term > Number.EPSILON / 16; chosen -= 1) {
    term *= chosen / (changed - chosen + 1)
    sum += term
  }
  return Math.min(1, 2 * sum * Math.exp(logarithm))
}
