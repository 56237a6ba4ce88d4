// The state whose rows are shown, of the evaluator that the chips follow: how it is chosen, and how many rows it has.
import type { Search } from '../search.ts'
import type { Shown } from './shown.ts'
import { type FilterState, stateCounts, stateFilters, withoutState } from './states.ts'
import type { Filter } from './view.ts'

interface StateChoice {
  filters: readonly Filter[]
  /** The evaluator whose state goes, and the one whose state comes. */
  from: string | undefined
  to: string | undefined
  state: FilterState | undefined
}

/** What a choice changes in the address. */
export function stateChange({ filters, from, to, state }: StateChoice): Search {
  const kept = from === undefined ? filters : withoutState(filters, from)
  const gone = filters.filter((filter) => !kept.includes(filter))
  return {
    ...Object.fromEntries(gone.map(([name]) => [name, undefined])),
    ...(state !== undefined && to !== undefined && Object.fromEntries(stateFilters(state, to))),
  }
}

/** How many rows the view has, once that is known. */
export function rowCount({ summary, on, state }: Shown): number | undefined {
  if (!summary || state === undefined) return summary?.matched
  const evaluator = summary.evaluators.find(({ name }) => name === on)
  return evaluator && stateCounts(evaluator).find(([name]) => name === state)?.[1]
}
