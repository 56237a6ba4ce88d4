// How the list of evaluations is looked at, as the address has it: the API's own filters, and what only this page has.
import { useSearch } from '@tanstack/react-router'
import type { ListEvaluationsQuery } from 'assay-client'
import { useMemo } from 'react'
import { one, type Search } from '../search.ts'

export interface Order {
  column: string
  isDescending: boolean
}

export interface ListView {
  /** What the name holds. */
  name: string | undefined
  variant: string | undefined
  revision: string | undefined
  /** The evaluator that rows must have and that the bars follow. */
  evaluator: string | undefined
  order: Order | undefined
  /** Parts of the address that mean nothing, and were left out. */
  ignored: string[]
}

const KNOWN = ['name', 'variant_id', 'revision', 'evaluator', 'order']

export function readListView(search: Search): ListView {
  const ignored = Object.keys(search).filter((name) => !KNOWN.includes(name))
  /** A known word, or undefined and one more that was ignored. */
  function read(name: string, pattern: RegExp): string | undefined {
    const said = one(search, name)
    const found = said === undefined ? undefined : pattern.exec(said)?.[1]
    if (said !== undefined && found === undefined) ignored.push(`${name}=${said}`)
    return found
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
  } as ListView
}

/** What is asked of the API: the evaluator and the order are the page's own. */
export function filtersOf({ name, variant, revision }: ListView): ListEvaluationsQuery {
  return {
    ...(name !== undefined && { name: `contains.${name}` }),
    ...(variant !== undefined && { variant_id: `eq.${variant}` }),
    ...(revision !== undefined && { revision: `eq.${revision}` }),
  }
}

export function isFiltered({ name, variant, revision, evaluator }: ListView): boolean {
  return [name, variant, revision, evaluator].some((filter) => filter !== undefined)
}

export function useListView(): ListView {
  const search: Search = useSearch({ strict: false })
  return useMemo(() => readListView(search), [search])
}
