// The search params of the evaluations page: the API's filters, and the page's own evaluator and order.
import { useSearch } from '@tanstack/react-router'
import type { ListEvaluationsQuery } from 'assay-client'
import { useMemo } from 'react'
import { paramValue, type SearchParams } from '../../state/search-params.ts'

export interface Order {
  column: string
  isDescending: boolean
}

export interface ListParams {
  /** A part of the name. */
  name: string | undefined
  variant: string | undefined
  revision: string | undefined
  /** The evaluator that evaluations must have, and that the chart shows. */
  evaluator: string | undefined
  order: Order | undefined
  /** Params that are unknown or invalid, and were ignored. */
  ignored: string[]
}

const KNOWN_PARAMS = ['name', 'variant_id', 'revision', 'evaluator', 'order']

export function readListParams(search: SearchParams): ListParams {
  const ignored = Object.keys(search).filter((name) => !KNOWN_PARAMS.includes(name))
  /** The first group of the pattern; a value that does not match is ignored. */
  function read(name: string, pattern: RegExp): string | undefined {
    const value = paramValue(search, name)
    const match = value === undefined ? undefined : pattern.exec(value)?.[1]
    if (value !== undefined && match === undefined) ignored.push(`${name}=${value}`)
    return match
  }
  const order = read('order', /^(.+\.(?:asc|desc))$/)
  const end = order?.lastIndexOf('.')
  return {
    name: read('name', /^contains\.(.+)$/s),
    variant: read('variant_id', /^(?:eq\.)?(.+)$/s),
    revision: read('revision', /^(?:eq\.)?(\d+)$/),
    evaluator: read('evaluator', /^(.+)$/s),
    order: order && { column: order.slice(0, end), isDescending: order.endsWith('.desc') },
    ignored,
  } as ListParams
}

/** The filters that the API applies. The page applies the evaluator and the order itself. */
export function filtersOf({ name, variant, revision }: ListParams): ListEvaluationsQuery {
  return {
    ...(name !== undefined && { name: `contains.${name}` }),
    ...(variant !== undefined && { variant_id: `eq.${variant}` }),
    ...(revision !== undefined && { revision: `eq.${revision}` }),
  }
}

export function isFiltered({ name, variant, revision, evaluator }: ListParams): boolean {
  return [name, variant, revision, evaluator].some((filter) => filter !== undefined)
}

export function useListParams(): ListParams {
  const search: SearchParams = useSearch({ strict: false })
  return useMemo(() => readListParams(search), [search])
}
