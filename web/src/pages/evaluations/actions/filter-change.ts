// Sets or removes a filter, together with those that depend on it.
import type { PageSearch } from '../../../state/search-params.ts'
import { type FilterParam, LIST_FILTERS } from '../list-filters.ts'

export function filterChange(param: FilterParam, value?: string): PageSearch<'/'> {
  const dependents = LIST_FILTERS.filter(({ dependsOn }) => dependsOn === param)
  return { ...Object.fromEntries(dependents.map((filter) => [filter.param, undefined])), [param]: value }
}
