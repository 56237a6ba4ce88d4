// The direction of the difference of two evaluations, much faster than all its statistics. Uses no database.

import { exactMcNemar } from './mcnemar-test.ts'
import { countDirections } from './measured-differences.ts'
import { type Conclusion, MIN_ROWS, summarizeDifferences } from './paired-differences.ts'
import { estimateChange, quantilesOf } from './repeated-verdicts.ts'
import { findLargest } from './sums.ts'

type Direction = Conclusion['direction']

export interface RankedScores {
  /** By row: the mean of its repeats. The rows are the same for all evaluations. */
  means: Float64Array
  hasRepeats: boolean
}

export type PairTest = (baseline: RankedScores, candidate: RankedScores) => Direction

/** Sums without compensation are this exact for a million rows. Closer cases are left to the exact sums. */
const TOLERANCE = 1e-6
/** Smaller variances lose too many digits in a sum of squares. */
const MIN_VARIANCE_SHARE = 1e-3
/** Squares outside of this range can be inexact. */
const [MIN_SQUARES, MAX_SQUARES] = [1e-200, 1e200]

/** The test returns the same direction as summarizeDifferences, for any two evaluations of the same rows. */
export function createPairTest(rowCount: number, areVerdicts: boolean, confidence: number): PairTest {
  const quantiles = rowCount > 1 ? quantilesOf(rowCount, confidence) : { student: Number.NaN, added: 0 }
  const largest = new Map<RankedScores, number>()
  function largestOf(scores: RankedScores): number {
    const known = largest.get(scores)
    if (known !== undefined) return known
    const found = findLargest(scores.means)
    largest.set(scores, found)
    return found
  }

  /** The mean difference divided by its margin: beyond 1, the interval excludes 0. Undefined if the digits are not certain. */
  function estimateRatio(baseline: RankedScores, candidate: RankedScores): number | undefined {
    const { sum, squareSum } = sumDifferences(baseline.means, candidate.means)
    const squares = squareSum - (sum * sum) / rowCount
    const limit = 1e-9 * Math.max(largestOf(baseline), largestOf(candidate))
    const isCertain =
      squareSum > MIN_SQUARES &&
      squareSum < MAX_SQUARES &&
      squares > MIN_VARIANCE_SHARE * squareSum &&
      squares > rowCount * limit * limit
    if (!isCertain) return undefined
    if (areVerdicts) {
      const { mean, margin } = estimateChange({ n: rowCount, sum, squareSum }, quantiles)
      return mean / margin
    }
    return sum / rowCount / (quantiles.student * Math.sqrt(squares / (rowCount - 1) / rowCount))
  }

  return (baseline, candidate) => {
    const hasRepeats = baseline.hasRepeats || candidate.hasRepeats
    const verdicts = areVerdicts ? rowCount : 0
    const numbers = { baseline: baseline.means, candidate: candidate.means, verdicts, hasRepeats }
    if (rowCount >= MIN_ROWS) {
      if (areVerdicts && !hasRepeats) {
        const { higher, lower } = countDirections(numbers)
        // The interval excludes 0 exactly if McNemar's test rejects.
        if (exactMcNemar(lower, higher) > 1 - confidence) return 'tied'
        return higher > lower ? 'higher' : 'lower'
      }
      const ratio = estimateRatio(baseline, candidate)
      if (ratio !== undefined) {
        if (Math.abs(ratio) < 1 - TOLERANCE) return 'tied'
        if (Math.abs(ratio) > 1 + TOLERANCE) return ratio > 0 ? 'higher' : 'lower'
      }
    }
    return summarizeDifferences(numbers, confidence).direction
  }
}

function sumDifferences(baseline: Float64Array, candidate: Float64Array): { sum: number; squareSum: number } {
  let [sum, squareSum] = [0, 0]
  for (let row = 0; row < candidate.length; row += 1) {
    const difference = (candidate[row] as number) - (baseline[row] as number)
    sum += difference
    squareSum += difference * difference
  }
  return { sum, squareSum }
}
