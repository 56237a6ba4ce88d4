// What the bars of a metric keep when they are picked: their rows, whatever state of that evaluator was chosen.
import { useChangeSearch } from '../change-search.ts'
import { filterWords } from '../filters/filter-words.ts'
import type { Bin } from '../parts/histogram.tsx'
import { stateChange } from './chosen-state.ts'
import { binFilter, type Metric } from './metrics.ts'
import type { Shown } from './shown.ts'
import type { Filter } from './view.ts'

export function usePickFilter({ on, question }: Shown): (filter: Filter) => void {
  const change = useChangeSearch()
  return ([name, value]) => {
    const isState = name === `result.${on}`
    const stateless = stateChange({ filters: question.filters, from: on, to: on, state: undefined })
    change({ ...(isState && stateless), [name]: value })
  }
}

/** What bars and their table have in common. */
export function barsOf(metric: Metric, onPick: (filter: Filter) => void) {
  const { name, bins, format } = metric
  return {
    name,
    bins,
    format,
    picks: (bin: Bin) => `keep rows with ${filterWords(binFilter(metric, bin))}`,
    onPick: (bin: Bin) => onPick(binFilter(metric, bin)),
  }
}
