// The filter by result state: the change of the search params that selects a state, and the number of its rows.

import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import {
  type FilterState,
  stateCounts,
  stateFilters,
  withoutStateFilters,
} from '../../../results/result-states.ts'
import type { Filter, FilterSearch } from '../../../state/row-params.ts'

interface StateChoice {
  filters: readonly Filter[]
  /** The evaluator whose state is removed, and the one whose state is added. */
  from: string | undefined
  to: string | undefined
  state: FilterState | undefined
}

/** The change of the search params that selects a state. */
export function stateChange({ filters, from, to, state }: StateChoice): FilterSearch {
  const remaining = from === undefined ? filters : withoutStateFilters(filters, from)
  const removed = filters.filter((filter) => !remaining.includes(filter))
  return {
    ...Object.fromEntries(removed.map(([name]) => [name, undefined])),
    ...(state !== undefined && to !== undefined && Object.fromEntries(stateFilters(state, to))),
  }
}

/** The change that removes the selected state. */
export function withoutState({
  query,
  activeEvaluator,
}: Pick<EvaluationState, 'query' | 'activeEvaluator'>): FilterSearch {
  return stateChange({ filters: query.filters, from: activeEvaluator, to: undefined, state: undefined })
}

/** The number of filtered rows; undefined until the summary is loaded. */
export function rowCount({ summary, activeEvaluator, filterState }: EvaluationState): number | undefined {
  if (!summary || filterState === undefined) return summary?.matched
  const evaluator = summary.evaluators.find(({ name }) => name === activeEvaluator)
  return evaluator && stateCounts(evaluator).find(([state]) => state === filterState)?.[1]
}
