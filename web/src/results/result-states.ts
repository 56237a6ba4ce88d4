// The state of a row for one evaluator. Each row has exactly one state; each state has its filters and its count.
import type { EvaluationSummary } from 'assay-client'
import type { Filter } from '../state/row-params.ts'

export type EvaluatorSummary = EvaluationSummary['evaluators'][number]
export type ResultState = 'fail' | 'pass' | 'scored' | 'labeled' | 'error' | 'unscored' | 'output_error'

export const RESULT_STATES: Record<ResultState, { name: string; color?: 'better' | 'worse' }> = {
  fail: { name: 'Fail', color: 'worse' },
  pass: { name: 'Pass', color: 'better' },
  scored: { name: 'Scored' },
  labeled: { name: 'Labeled' },
  error: { name: 'Error' },
  unscored: { name: 'Not scored' },
  output_error: { name: 'Output failed' },
}

/** The states with a filter. The API has no filter for scores or labels in general. */
export type FilterState = Exclude<ResultState, 'scored' | 'labeled'>

export function stateFilters(state: FilterState, evaluator: string): Filter[] {
  const result = `result.${evaluator}`
  if (state === 'fail') return [[result, 'is.false']]
  if (state === 'pass') return [[result, 'is.true']]
  if (state === 'error') return [[result, 'is.error']]
  return [
    [result, 'is.null'],
    ['error', state === 'unscored' ? 'is.false' : 'is.true'],
  ]
}

const FILTER_STATES: FilterState[] = ['fail', 'pass', 'error', 'unscored', 'output_error']

export function stateFromFilters(
  filters: readonly Filter[],
  evaluator: string | undefined,
): FilterState | undefined {
  if (evaluator === undefined) return undefined
  return FILTER_STATES.find((state) =>
    stateFilters(state, evaluator).every((filter) => hasFilter(filters, filter)),
  )
}

/** The filters that remain when no state is selected. */
export function withoutStateFilters(
  filters: readonly Filter[],
  evaluator: string | undefined,
): readonly Filter[] {
  const state = stateFromFilters(filters, evaluator)
  if (state === undefined || evaluator === undefined) return filters
  const removed = stateFilters(state, evaluator)
  return filters.filter((filter) => !hasFilter(removed, filter))
}

/** The number of rows in each state that the evaluator can have. */
export function stateCounts(evaluator: EvaluatorSummary): [ResultState, number][] {
  const { n, texts, errors, unscored, output_errors, passed, failed } = evaluator
  const verdicts = (passed ?? 0) + (failed ?? 0)
  const counts: [ResultState, number | undefined][] = [
    ['fail', failed ?? undefined],
    ['pass', passed ?? undefined],
    ['scored', n - verdicts || undefined],
    ['labeled', texts || undefined],
    ['error', errors],
    ['unscored', unscored],
    ['output_error', output_errors],
  ]
  return counts.flatMap(([state, count]): [ResultState, number][] =>
    count === undefined ? [] : [[state, count]],
  )
}

function hasFilter(filters: readonly Filter[], [name, value]: Filter): boolean {
  return filters.some((filter) => filter[0] === name && filter[1] === value)
}
