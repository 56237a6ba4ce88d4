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

export interface Preferred {
  density?: string | undefined
  shape?: string | undefined
}

export function useView(): View {
  return useRead(readView)
}

/** The address, read with what this browser prefers where it says nothing. */
export function useRead<Read>(read: (search: Search, preferred: Preferred) => Read): Read {
  const search: Search = useSearch({ strict: false })
  const density = usePreference('density')
  const shape = usePreference('as')
  return useMemo(() => read(search, { density, shape }), [read, search, density, shape])
}

export function readView(search: Search, preferred: Preferred = {}): View {
  const { rows, word } = readRows(search, SCREEN, preferred)
  return {
    ...rows,
    base: one(search, 'base'),
    group: word('group', GROUPS),
    row: one(search, 'row'),
    tab: word('tab', TABS),
  }
}

/** What every view of rows has, and how to read one of several words; `screen` are the names that mean something there. */
export function readRows(search: Search, screen: readonly string[], preferred: Preferred) {
  const ignored: string[] = []
  const filters: Filter[] = []
  for (const [name, value] of Object.entries(search)) {
    if (isFilter(name) && typeof value === 'string') filters.push([name, value])
    else if (!screen.includes(name) || typeof value !== 'string') ignored.push(name)
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
  const output = Number(one(search, 'output') ?? 1)
  const rows = {
    filters,
    order: one(search, 'order'),
    on: one(search, 'on'),
    columns: one(search, 'cols')?.split(',').map(decoded),
    density: word('density', DENSITIES, preferred.density) ?? 'compact',
    shape: word('as', SHAPES, preferred.shape) ?? 'text',
    output: Number.isInteger(output) && output > 0 ? output : 1,
    ignored,
  }
  return { rows, word }
}

/** As it is, where it was never encoded. */
function decoded(text: string): string {
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
