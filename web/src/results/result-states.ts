// The states of a row for one evaluator.
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

/** The states with a filter. The API has no filter for scores or labels in general. */
export type FilterState = Exclude<ResultState, 'scored' | 'labeled'> | RepeatedState
