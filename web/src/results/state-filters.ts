// The filters and the number of rows of each state. Evaluators can score a failed output, so that a row can be counted as a
// failed output and as pass or fail.
import type { EvaluationSummary } from 'assay-client'
import type { Filter } from '../state/row-params.ts'
import type { FilterState, ResultState } from './result-states.ts'

const CHANGE_FILTERS = { increased: 'gt.0', decreased: 'lt.0' }

const RESULT_FILTERS = { fail: 'is.false', pass: 'is.true', error: 'is.error', unscored: 'is.null' }

/** Only failed outputs have a filter without an evaluator. */
export function stateFilters(state: FilterState, evaluator: string | undefined): Filter[] {
  if (state === 'output_error') return [['error', 'is.true']]
  if (evaluator === undefined) return []
  if (state === 'increased' || state === 'decreased') return [[`delta.${evaluator}`, CHANGE_FILTERS[state]]]
  if (state === 'flaky') return [[`flaky.${evaluator}`, 'is.true']]
  if (state === 'always_pass' || state === 'always_fail') {
    const result = state === 'always_pass' ? 'pass' : 'fail'
    return [
      [`flaky.${evaluator}`, 'is.false'],
      [`result.${evaluator}`, RESULT_FILTERS[result]],
    ]
  }
  const filter: Filter = [`result.${evaluator}`, RESULT_FILTERS[state]]
  return state === 'unscored' ? [filter, ['error', 'is.false']] : [filter]
}

/** States with more filters come first, because theirs include those of others. */
const FILTER_STATES: FilterState[] = [
  'increased',
  'decreased',
  'flaky',
  'always_pass',
  'always_fail',
  'fail',
  'pass',
  'error',
  'unscored',
  'output_error',
]

export function stateFromFilters(
  filters: readonly Filter[],
  evaluator: string | undefined,
): FilterState | undefined {
  return FILTER_STATES.find((state) => {
    const required = stateFilters(state, evaluator)
    return required.length > 0 && required.every((filter) => hasFilter(filters, filter))
  })
}

/** The filters that remain when no state is selected. */
export function withoutStateFilters(
  filters: readonly Filter[],
  evaluator: string | undefined,
): readonly Filter[] {
  const state = stateFromFilters(filters, evaluator)
  if (state === undefined) return filters
  const removed = stateFilters(state, evaluator)
  return filters.filter((filter) => !hasFilter(removed, filter))
}

/** The number of rows in each state that the evaluator can have, and of all failed outputs, scored or not. */
export function stateCounts(
  { output_errors, evaluators }: Pick<EvaluationSummary, 'output_errors' | 'evaluators'>,
  evaluatorName: string | undefined,
): [ResultState, number][] {
  const evaluator = evaluators.find(({ name }) => name === evaluatorName)
  if (!evaluator) return output_errors > 0 ? [['output_error', output_errors]] : []
  const { n, texts, errors, unscored, passed, failed } = evaluator
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
  return counts.filter((entry): entry is [ResultState, number] => entry[1] !== undefined)
}

function hasFilter(filters: readonly Filter[], [name, value]: Filter): boolean {
  return filters.some((filter) => filter[0] === name && filter[1] === value)
}
