// The states of a row for one evaluator, which never mix: each is a set of filters, and each has its count in the summary.
import type { EvaluationSummary } from 'assay-client'
import type { Filter } from './view.ts'

export type EvaluatorSummary = EvaluationSummary['evaluators'][number]
export type State = 'fail' | 'pass' | 'scored' | 'labelled' | 'error' | 'unscored' | 'output_error'

export const STATE_NAMES: Record<State, string> = {
  fail: 'Fail',
  pass: 'Pass',
  scored: 'Scored',
  labelled: 'Labelled',
  error: 'Error',
  unscored: 'Not evaluated',
  output_error: 'Output failed',
}

/** The states that can be filtered by: scores and labels together are what the API has no word for. */
export type FilterState = Exclude<State, 'scored' | 'labelled'>

export function stateFilters(state: FilterState, on: string): Filter[] {
  const result = `result.${on}`
  if (state === 'fail') return [[result, 'is.false']]
  if (state === 'pass') return [[result, 'is.true']]
  if (state === 'error') return [[result, 'is.error']]
  return [
    [result, 'is.null'],
    ['error', state === 'unscored' ? 'is.false' : 'is.true'],
  ]
}

const FILTER_STATES: FilterState[] = ['fail', 'pass', 'error', 'unscored', 'output_error']

export function stateOf(filters: readonly Filter[], on: string): FilterState | undefined {
  return FILTER_STATES.find((state) => stateFilters(state, on).every((one) => holds(filters, one)))
}

/** What is left when no state is chosen. */
export function withoutState(filters: readonly Filter[], on: string): Filter[] {
  const state = stateOf(filters, on)
  if (state === undefined) return [...filters]
  const gone = stateFilters(state, on)
  return filters.filter((one) => !holds(gone, one))
}

/** How many rows are in each state; those that cannot be for this evaluator are left out. */
export function stateCounts(evaluator: EvaluatorSummary): [State, number][] {
  const { n, texts, errors, unscored, output_errors, passed, failed } = evaluator
  const verdicts = (passed ?? 0) + (failed ?? 0)
  const counts: [State, number | undefined][] = [
    ['fail', failed ?? undefined],
    ['pass', passed ?? undefined],
    ['scored', n - verdicts || undefined],
    ['labelled', texts || undefined],
    ['error', errors],
    ['unscored', unscored],
    ['output_error', output_errors],
  ]
  return counts.flatMap(([state, count]): [State, number][] => (count === undefined ? [] : [[state, count]]))
}

function holds(filters: readonly Filter[], [name, value]: Filter): boolean {
  return filters.some((one) => one[0] === name && one[1] === value)
}
