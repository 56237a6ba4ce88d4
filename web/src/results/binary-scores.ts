// Recognizes evaluators whose numbers are verdicts: only 0 and 1, without a threshold.
import type { EvaluatorSummary } from './result-states.ts'

/** Statistics have 12 significant digits. */
const TOLERANCE = 1e-9

export function hasOnlyZeroAndOne(evaluator: EvaluatorSummary): boolean {
  const { n, passed, threshold, minimum, maximum, mean, bins } = evaluator
  if (threshold !== null || passed !== null || mean === null) return false
  if (minimum !== 0 || maximum !== 1) return false
  // All values are in the first or last bin, and their sum is the number of values in the last one.
  const [zeros = 0, ones = 0] = [bins[0]?.count, bins.at(-1)?.count]
  return zeros + ones === n && Math.abs(mean - ones / n) < TOLERANCE
}
