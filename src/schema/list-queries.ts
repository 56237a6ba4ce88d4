// The filters of lists as the parameters of a query.
import type { TOptional, TString } from 'typebox'
import { filterForm, type ListFilters } from './list-filters.ts'
import { Type } from './type.ts'

export function listFilterQuery<Filters extends ListFilters>(filters: Filters) {
  const parameters = Object.entries(filters).map(([name, kind]) => {
    const description = `Only those that fit: ${filterForm(kind)}.`
    return [name, Type.Optional(Type.String({ description }))] as const
  })
  return Object.fromEntries(parameters) as Record<keyof Filters & string, TOptional<TString>>
}
