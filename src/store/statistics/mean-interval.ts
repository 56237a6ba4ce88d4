// Confidence intervals of the pass rate and of the mean score of one evaluation, over rows. Uses no database.
import { proportionInterval, studentQuantile } from './beta-distribution.ts'
import { addedRows } from './repeated-verdicts.ts'
import { roundStatistic, roundToZero } from './rounding.ts'
import { computeMean, computeSum, findLargest } from './sums.ts'

export interface RowScores {
  /** The mean of the repeats of each row. */
  means: Float64Array
  hasRepeats: boolean
}

/**
 * The confidence interval of a pass rate. Without repeats it is the exact one of Clopper and Pearson. With repeats it is the same
 * one for the effective number of verdicts (E. L. Korn & B. I. Graubard, Survey Methodology 24 (1998), 193–201). `runs` is the
 * number of all repeats. Null without rows.
 */
export function rateInterval(
  rows: RowScores & { runs: number },
  confidence = 0.95,
): [low: number, high: number] | null {
  const n = rows.means.length
  if (n === 0) return null
  const passes = computeSum(rows.means).sum
  if (!rows.hasRepeats) return roundInterval(proportionInterval(passes, n, confidence))
  const size = roundCount(effectiveSize(rows, confidence))
  return roundInterval(proportionInterval(roundCount((passes / n) * size), size, confidence))
}

/**
 * The number of independent verdicts whose rate varies as much as the mean of the rows. Rows that always pass or always fail are
 * often not among the observed ones, so the variance includes as many added ones as the change of a pass rate does.
 */
function effectiveSize({ means, runs }: RowScores & { runs: number }, confidence: number): number {
  const n = means.length
  const added = addedRows(confidence)
  const total = n + 2 * added
  const rate = (computeSum(means).sum + added) / total
  const square = (computeSum(means.map((mean) => mean * mean)).sum + added) / total
  const size = (n * rate * (1 - rate)) / (square - rate * rate)
  // The mean of a row never varies more than a single verdict.
  return Math.min(runs, Math.max(n, size))
}

/** Rounding errors must not turn "all pass" into "nearly all pass". */
function roundCount(count: number): number {
  const nearest = Math.round(count)
  return Math.abs(count - nearest) < 1e-9 * nearest ? nearest : count
}

/** Student's t interval of the mean of numbers of any size. Null for fewer than 2 rows, or if all numbers are equal. */
export function meanInterval(means: Float64Array, confidence = 0.95): [low: number, high: number] | null {
  const n = means.length
  if (n < 2) return null
  const { mean, unit } = computeMean(means)
  const deviations = means.map((number) => number / unit - mean)
  const squares = computeSum(deviations.map((deviation) => deviation * deviation)).sum
  if (roundToZero(Math.sqrt(squares), Math.sqrt(n) * (findLargest(means) / unit)) === 0) return null
  const margin = studentQuantile(confidence, n - 1) * Math.sqrt(squares / (n - 1) / n)
  return roundInterval([(mean - margin) * unit, (mean + margin) * unit])
}

function roundInterval(interval: [number, number]): [low: number, high: number] | null {
  const [low, high] = [roundStatistic(interval[0]), roundStatistic(interval[1])]
  return low === null || high === null ? null : [low, high]
}
