// Filters by the bars of a metric. A bar replaces the selected state of its evaluator.

import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { filterLabel } from '../../../filters/filter-labels.ts'
import type { Filter } from '../../../state/row-params.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import type { Bin } from '../../../ui/charts/histogram.tsx'
import { stateChange } from '../filters/state-filter.ts'
import { binFilter, type Metric } from './metrics.ts'

export function useApplyFilter(
  pageState: Pick<EvaluationState, 'query' | 'activeEvaluator'>,
): (filter: Filter) => void {
  const changeParams = useChangeSearchParams()
  return ([name, value]) => {
    const replacesState = name === `result.${pageState.activeEvaluator}`
    changeParams({ ...(replacesState && stateChange(pageState)), [name]: value })
  }
}

/** The props of Histogram and HistogramTable for a metric. */
export function histogramProps(metric: Metric, onPick: (filter: Filter) => void) {
  const { name, bins, format } = metric
  return {
    name,
    bins,
    format,
    pickLabel: (bin: Bin) => `show rows with ${filterLabel(binFilter(metric, bin))}`,
    onPick: (bin: Bin) => onPick(binFilter(metric, bin)),
  }
}
