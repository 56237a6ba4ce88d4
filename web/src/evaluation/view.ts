// How an evaluation is looked at, as the address has it: the API's own filters and order, and what only a screen has.
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useChangeSearch } from '../change-search.ts'
import { DENSITIES, type Density } from '../grid/density.ts'
import { setPreference, usePreference } from '../preferences.ts'
import { one, type Search } from '../search.ts'

export const SHAPES = ['text', 'markdown', 'json'] as const
export type Shape = (typeof SHAPES)[number]
export const TABS = ['diff', 'output', 'inputs', 'results', 'raw'] as const
export type Tab = (typeof TABS)[number]
const GROUPS = ['error'] as const
type Group = (typeof GROUPS)[number]

/** Name and value of a query parameter of the API: ['latency', 'gt.2']. */
export type Filter = readonly [name: string, value: string]

export interface View {
  filters: Filter[]
  order: string | undefined
  /** The evaluation to compare with; '' is none, undefined the evaluation's own baseline. */
  base: string | undefined
  /** The evaluator that the state chips follow. */
  on: string | undefined
  columns: string[] | undefined
  density: Density
  shape: Shape
  group: Group | undefined
  /** Which output of several, from 1. */
  output: number
  row: string | undefined
  tab: Tab | undefined
  /** Parts of the address that mean nothing, and were left out. */
  ignored: string[]
}

const PLAIN_FILTERS = ['q', 'latency', 'cost', 'is_pinned', 'note', 'error']
const FAMILIES = ['result.', 'input.', 'delta.', 'error.']
const SCREEN = ['order', 'base', 'on', 'cols', 'density', 'as', 'group', 'output', 'row', 'tab']

export function isFilter(name: string): boolean {
  return PLAIN_FILTERS.includes(name) || FAMILIES.some((family) => name.startsWith(family))
}

export function useView(): View {
  const search: Search = useSearch({ strict: false })
  const density = usePreference('density')
  const shape = usePreference('as')
  return useMemo(() => readView(search, { density, shape }), [search, density, shape])
}

export function readView(
  search: Search,
  preferred: { density?: string | undefined; shape?: string | undefined } = {},
): View {
  const ignored: string[] = []
  const filters: Filter[] = []
  for (const [name, value] of Object.entries(search)) {
    if (isFilter(name) && typeof value === 'string') filters.push([name, value])
    else if (!SCREEN.includes(name) || typeof value !== 'string') ignored.push(name)
  }
  function word<Word extends string>(
    name: string,
    words: readonly Word[],
    otherwise?: string,
  ): Word | undefined {
    const said = one(search, name)
    const found = words.find((one) => one === said)
    if (said !== undefined && found === undefined) ignored.push(`${name}=${said}`)
    return found ?? words.find((one) => one === otherwise)
  }
  const columns = one(search, 'cols')?.split(',').map(decoded)
  const output = Number(one(search, 'output') ?? 1)
  return {
    filters,
    order: one(search, 'order'),
    base: one(search, 'base'),
    on: one(search, 'on'),
    columns,
    density: word('density', DENSITIES, preferred.density) ?? 'compact',
    shape: word('as', SHAPES, preferred.shape) ?? 'text',
    group: word('group', GROUPS),
    output: Number.isInteger(output) && output > 0 ? output : 1,
    row: one(search, 'row'),
    tab: word('tab', TABS),
    ignored,
  }
}

/** As it is, where it was never encoded. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The change of the address that takes filters away. */
export function withoutFilters(filters: readonly Filter[]): Search {
  return Object.fromEntries(filters.map(([name]) => [name, undefined]))
}

/** Density and the like: the address where it says one, else this browser's own default. */
export function useChangePreference(): (name: 'density' | 'as', value: string) => void {
  const search: Search = useSearch({ strict: false })
  const change = useChangeSearch()
  return (name, value) => {
    setPreference(name, value)
    if (search[name] !== undefined) change({ [name]: value }, { replace: true })
  }
}
