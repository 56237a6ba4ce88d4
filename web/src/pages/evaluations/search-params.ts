// The search params of the evaluations page: the API's filters, and the page's own evaluator and order.
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { splitAtDot } from '../../../../src/schema/filters/fields.ts'
import { ignoredParams, matching, searchOf } from '../../state/search-params.ts'
import { type FilterParam, LIST_FILTERS, type ListFilter } from './list-filters.ts'

type FilterReader = (text: string) => `${ListFilter['operator']}.${string}` | undefined

const FILTER_READERS = Object.fromEntries(
  LIST_FILTERS.map(({ param, operator, pattern = /./s }): [string, FilterReader] => [
    param,
    (text) => {
      const [name, value = ''] = splitAtDot(text)
      return name === operator && pattern.test(value) ? `${operator}.${value}` : undefined
    },
  ]),
) as Record<FilterParam, FilterReader>

export const evaluationsSearch = searchOf({
  ...FILTER_READERS,
  /** The evaluator that evaluations must have. */
  evaluator: matching<string>(/./s),
  order: matching<`${string}.${'asc' | 'desc'}`>(/^.+\.(?:asc|desc)$/),
})

export interface Order {
  column: string
  isDescending: boolean
}

export type ListParams = ReturnType<typeof readListParams>

export function readListParams(search: ReturnType<typeof evaluationsSearch>) {
  const { evaluator, order } = search
  const end = order?.lastIndexOf('.')
  const filters = LIST_FILTERS.flatMap((filter) => {
    const value = search[filter.param]
    return value === undefined ? [] : [{ ...filter, value: value.slice(filter.operator.length + 1) }]
  })
  return {
    /** The active filters of the API, with their values. */
    filters,
    evaluator,
    order: order && ({ column: order.slice(0, end), isDescending: order.endsWith('.desc') } satisfies Order),
    ignored: ignoredParams(search),
  }
}

/** The filters that the API applies. The page applies the evaluator and the order itself. */
export function filtersOf({ filters }: ListParams): Partial<Record<FilterParam, string>> {
  return Object.fromEntries(filters.map(({ param, operator, value }) => [param, `${operator}.${value}`]))
}

export function isFiltered({ filters, evaluator }: ListParams): boolean {
  return filters.length > 0 || evaluator !== undefined
}

export function useListParams(): ListParams {
  const search = useSearch({ from: '/' })
  return useMemo(() => readListParams(search), [search])
}
