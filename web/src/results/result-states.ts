// The states of a row for one evaluator, and whether an evaluator's numbers are verdicts.
import type { EvaluationSummary } from 'assay-client'

export type EvaluatorSummary = EvaluationSummary['evaluators'][number]
export type ResultState = 'fail' | 'pass' | 'scored' | 'labeled' | 'error' | 'unscored' | 'output_error'

/** The states of a row with repeats that both passes and fails, always passes or always fails. */
export type RepeatedState = 'flaky' | 'always_pass' | 'always_fail'

export const RESULT_STATES: Record<
  ResultState | RepeatedState,
  { name: string; color?: 'better' | 'worse' }
> = {
  fail: { name: 'Fail', color: 'worse' },
  pass: { name: 'Pass', color: 'better' },
  scored: { name: 'Scored' },
  labeled: { name: 'Labeled' },
  error: { name: 'Error' },
  unscored: { name: 'Not scored' },
  output_error: { name: 'Output failed' },
  flaky: { name: 'Flaky' },
  always_pass: { name: 'Always pass' },
  always_fail: { name: 'Always fail' },
}

/** The states of a row whose score is higher or lower than in the baseline. */
export type ChangeState = 'increased' | 'decreased'

/** The states with a filter. The API has no filter for scores or labels in general. */
export type FilterState = Exclude<ResultState, 'scored' | 'labeled'> | RepeatedState | ChangeState

/** Statistics have 12 significant digits. */
const TOLERANCE = 1e-9

/** Recognizes evaluators whose numbers are verdicts: only 0 and 1, without a threshold. */
export function hasOnlyZeroAndOne(evaluator: EvaluatorSummary): boolean {
  const { n, passed, threshold, minimum, maximum, mean, bins } = evaluator
  if (threshold !== null || passed !== null || mean === null) return false
  if (minimum !== 0 || maximum !== 1) return false
  // All values are in the first or last bin, and their sum is the number of values in the last one.
  const [zeros = 0, ones = 0] = [bins[0]?.count, bins.at(-1)?.count]
  return zeros + ones === n && Math.abs(mean - ones / n) < TOLERANCE
}
