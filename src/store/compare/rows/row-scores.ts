// The scores of rows. A row has the mean score of its repeats.
import { type DeclaredEvaluator, passes } from '../../evaluations/evaluators.ts'
import type { RowColumns } from '../comparison-cache.ts'

/** The scores of one evaluator, or cost or latency, by position. */
export interface RowNumbers extends RowColumns {
  /** NaN without a number. */
  numbers: Float64Array
  /** 1 for scores that are verdicts. */
  verdicts: Uint8Array
}

/** The numbers of the repeats of each row, by the position of its first scenario. */
export interface RepeatNumbers extends RowColumns {
  /** How many repeats have a number. */
  counts: Int32Array
  lowest: Float64Array
  highest: Float64Array
}

/**
 * By the position of the first scenario of each row: the means of its repeats. A row is a verdict if all its scores are. A sum outside
 * the range of a double counts as no number.
 */
export type RowScores = RowNumbers & {
  /** Undefined if each scenario is a row of its own. */
  repeats: RepeatNumbers | undefined
}

/** By scenario: 1 for scores that pass, 0 for those that fail, NaN for those that are not judged. */
export function judgeScores({ numbers, verdicts }: RowNumbers, declared: DeclaredEvaluator): Float64Array {
  return numbers.map((number, position) => {
    if (Number.isNaN(number) || verdicts[position] === 1) return number
    return declared.threshold === null ? Number.NaN : Number(passes(declared, number))
  })
}

export function averageRepeats(
  { numbers, verdicts }: RowNumbers,
  firstPositions: Int32Array,
): RowNumbers & RepeatNumbers {
  const size = numbers.length
  const means = new Float64Array(size).fill(Number.NaN)
  const counts = new Int32Array(size)
  const sums = new Float64Array(size)
  const lowest = new Float64Array(size).fill(Number.POSITIVE_INFINITY)
  const highest = new Float64Array(size).fill(Number.NEGATIVE_INFINITY)
  const areVerdicts = new Uint8Array(size).fill(1)
  for (const [position, row] of firstPositions.entries()) {
    const number = numbers[position] as number
    if (row < 0 || Number.isNaN(number)) continue
    counts[row] = (counts[row] as number) + 1
    sums[row] = (sums[row] as number) + number
    lowest[row] = Math.min(lowest[row] as number, number)
    highest[row] = Math.max(highest[row] as number, number)
    if (verdicts[position] === 0) areVerdicts[row] = 0
  }
  for (const [row, count] of counts.entries()) {
    if (count === 0) areVerdicts[row] = 0
    // Equal scores have themselves as mean, without rounding errors.
    else if (lowest[row] === highest[row]) means[row] = lowest[row] as number
    else if (Number.isFinite(sums[row])) means[row] = (sums[row] as number) / count
  }
  return { numbers: means, verdicts: areVerdicts, counts, lowest, highest }
}
