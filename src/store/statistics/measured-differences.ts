// Means and variance of paired differences of any size, before they are tested. Uses no database.
import type { RepeatedChanges } from './repeated-verdicts.ts'
import { roundStatistic, roundToZero } from './rounding.ts'
import { computeMean, computeSum, findLargest } from './sums.ts'

/** Both arrays have one entry per row with a score on both sides: the mean of its repeats. Numbers can have any size. */
export interface PairedNumbers {
  baseline: Float64Array
  candidate: Float64Array
  /** How many of the rows are verdicts: all their scores are true or false (1 or 0). */
  verdicts: number
  /** Whether a row has more than one score on either side. */
  hasRepeats: boolean
}

export interface DifferenceSummary {
  /** Number of rows with a score on both sides. */
  n: number
  /** How many of the rows are verdicts. */
  verdicts: number
  /** Number of rows in which the candidate is higher than the baseline. */
  higher: number
  /** Number of rows in which the candidate is lower than the baseline. */
  lower: number
  /** These are null if n is 0 or the value does not fit a double. */
  base_mean: number | null
  mean: number | null
  delta: number | null
}

export interface MeasuredDifferences {
  summary: DifferenceSummary
  hasRepeats: boolean
  /** The mean difference and its standard error, as multiples of a unit that `unscale` removes. */
  scaledDelta: number
  standardError: number
  /** False if all differences are equal, except for rounding errors. */
  hasVariance: boolean
  /** Null if the value does not fit a double. */
  unscale(value: number): number | null
  /** For verdicts only. */
  sumChanges(): RepeatedChanges
}

export function measureDifferences(numbers: PairedNumbers): MeasuredDifferences {
  const { baseline, candidate, verdicts, hasRepeats } = numbers
  const n = candidate.length
  const { differences, divisor, largest } = computeDifferences(candidate, baseline)
  const [base, mean, delta] = [computeMean(baseline), computeMean(candidate), computeMean(differences)]
  const deviations = differences.map((difference) => difference / delta.unit - delta.mean)
  const squares = computeSum(deviations.map((deviation) => deviation * deviation)).sum
  const unscale = (value: number) => roundStatistic(value * delta.unit * divisor)
  return {
    summary: {
      n,
      verdicts,
      ...countDirections(numbers),
      base_mean: roundStatistic(base.mean * base.unit),
      mean: roundStatistic(mean.mean * mean.unit),
      delta: unscale(delta.mean),
    },
    hasRepeats,
    scaledDelta: delta.mean,
    standardError: n > 1 ? Math.sqrt(squares / (n - 1) / n) : 0,
    hasVariance: roundToZero(Math.sqrt(squares), Math.sqrt(n) * (largest / divisor / delta.unit)) !== 0,
    unscale,
    sumChanges: () => sumChanges(differences),
  }
}

export function countDirections({ baseline, candidate }: PairedNumbers): { higher: number; lower: number } {
  let [higher, lower] = [0, 0]
  for (let row = 0; row < candidate.length; row += 1) {
    const [number, base] = [candidate[row] as number, baseline[row] as number]
    if (number > base) higher += 1
    else if (number < base) lower += 1
  }
  return { higher, lower }
}

function sumChanges(differences: Float64Array): RepeatedChanges {
  const { sum } = computeSum(differences)
  const squareSum = computeSum(differences.map((difference) => difference * difference)).sum
  return { n: differences.length, sum, squareSum }
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
