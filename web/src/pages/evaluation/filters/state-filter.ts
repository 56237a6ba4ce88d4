// The filter by result state: the change of the search params that selects a state, and the number of its rows.
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import type { EvaluatorSummary, FilterState } from '../../../results/result-states.ts'
import { stateCounts, stateFilters, withoutStateFilters } from '../../../results/state-filters.ts'
import { type Filter, type FilterSearch, withoutFilters } from '../../../state/row-params.ts'

/** The change of the search params that selects a state of an evaluator, or no state, instead of the current one. */
export function stateChange(
  { query: { filters }, activeEvaluator }: Pick<EvaluationState, 'query' | 'activeEvaluator'>,
  state?: FilterState,
  evaluator = activeEvaluator,
): FilterSearch {
  const remaining = withoutStateFilters(filters, activeEvaluator)
  return {
    ...withoutFilters(filters.filter((filter) => !remaining.includes(filter))),
    ...(state && Object.fromEntries(stateFilters(state, evaluator))),
  }
}

/** The number of filtered rows; undefined until the summary is loaded. */
export function rowCount(pageState: EvaluationState): number | undefined {
  const { summary, activeEvaluator, filterState } = pageState
  if (!summary || filterState === undefined) return summary?.matched
  const change = selectedChange(pageState)
  if (change) return change.rows
  return stateCounts(summary, activeEvaluator).find(([state]) => state === filterState)?.[1]
}

/** The selected change, and the number of its rows: undefined if repeats of a row make it unclear whether it changed. */
export function selectedChange({ summary, activeEvaluator, filterState }: EvaluationState) {
  const evaluator = summary?.evaluators.find(({ name }) => name === activeEvaluator)
  if (!evaluator || (filterState !== 'increased' && filterState !== 'decreased')) return undefined
  const direction = evaluator.higher_is_better === (filterState === 'increased') ? 'better' : 'worse'
  const { regressed, improved, unclear } = evaluator.base ?? {}
  const rows = unclear === 0 ? (direction === 'worse' ? regressed : improved) : undefined
  return { direction, rows } as const
}

/** The filter by rows that regressed or improved on an evaluator. */
export function changeFilter(
  { name, higher_is_better }: Pick<EvaluatorSummary, 'name' | 'higher_is_better'>,
  change: 'regressed' | 'improved',
): FilterSearch {
  return { [`delta.${name}`]: higher_is_better === (change === 'improved') ? 'gt.0' : 'lt.0' }
}

/** "answer_correct regressed", if the filter is one of `changeFilter`. */
export function changeLabel(
  [name, value]: Filter,
  evaluators: readonly Pick<EvaluatorSummary, 'name' | 'higher_is_better'>[],
): string | undefined {
  for (const evaluator of evaluators) {
    const change = (['regressed', 'improved'] as const).find(
      (candidate) =>
        `delta.${evaluator.name}` === name &&
        changeFilter(evaluator, candidate)[`delta.${evaluator.name}`] === value,
    )
    if (change) return `${evaluator.name} ${change}`
  }
  return undefined
}
