// The search params of the evaluations page: the API's filters, and the page's own evaluator and order.
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type EVALUATION_FILTERS, splitAtDot } from '../../../../src/schema/filters/fields.ts'
import { ignoredParams, matching, searchOf } from '../../state/search-params.ts'

/** A filter of the API by a field of evaluations. */
interface ListFilter {
  /** The name of the field, the search param and the API parameter. */
  param: FilterParam
  noun: string
  /** `contains` is a search field, the others have options. */
  operator: 'contains' | 'eq' | 'has'
  /** Matches valid values. All are valid by default. */
  pattern?: RegExp
  /** Formats a value for labels. */
  format?: (value: string) => string
  /** Another filter without which this one is hidden. It is removed together with that one. */
  dependsOn?: FilterParam
}

export type FilterParam = Extract<
  keyof typeof EVALUATION_FILTERS,
  'name' | 'status' | 'variant_id' | 'revision' | 'tags'
>

/** The filters of the list. */
export const LIST_FILTERS: readonly ListFilter[] = [
  { param: 'name', noun: 'name', operator: 'contains', format: (name) => `“${name}”` },
  { param: 'variant_id', noun: 'variant', operator: 'eq' },
  {
    param: 'revision',
    noun: 'revision',
    operator: 'eq',
    pattern: /^\d+$/,
    format: (revision) => `r${revision}`,
    // Revision numbers are per variant.
    dependsOn: 'variant_id',
  },
  { param: 'tags', noun: 'tag', operator: 'has' },
  { param: 'status', noun: 'status', operator: 'eq', pattern: /^(?:running|finished|failed)$/ },
]

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
