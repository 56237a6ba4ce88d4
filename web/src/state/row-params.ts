// Search params shared by all tables of rows: filters, order, columns, density and text format.
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { setPreference, usePreference } from './preferences.ts'
import { paramValue, type SearchParams, useChangeSearchParams } from './search-params.ts'

export const DENSITIES = ['compact', 'medium', 'tall'] as const
export type Density = (typeof DENSITIES)[number]

export function nextDensity(density: Density): Density {
  return DENSITIES[(DENSITIES.indexOf(density) + 1) % DENSITIES.length] ?? 'compact'
}

export const TEXT_FORMATS = ['text', 'markdown', 'json'] as const
export type TextFormat = (typeof TEXT_FORMATS)[number]

/** Name and value of a query parameter of the API: ['latency', 'gt.2']. */
export type Filter = readonly [name: string, value: string]

const FILTER_NAMES = ['q', 'latency', 'cost', 'is_pinned', 'note', 'error']
const FILTER_PREFIXES = ['result.', 'input.', 'delta.', 'error.']

export function isFilter(name: string): boolean {
  return FILTER_NAMES.includes(name) || FILTER_PREFIXES.some((prefix) => name.startsWith(prefix))
}

export interface RowPreferences {
  density?: string | undefined
  textFormat?: string | undefined
}

/** Reads the search params, with preferences as defaults. */
export function useRowParams<Read>(read: (search: SearchParams, preferred: RowPreferences) => Read): Read {
  const search: SearchParams = useSearch({ strict: false })
  const density = usePreference('density')
  const textFormat = usePreference('as')
  return useMemo(() => read(search, { density, textFormat }), [read, search, density, textFormat])
}

/** Reads the common params. `pageParams` are the names that the page itself supports; everything else is ignored. */
export function readRowParams(
  search: SearchParams,
  pageParams: readonly string[],
  preferred: RowPreferences,
) {
  const ignored: string[] = []
  const filters: Filter[] = []
  for (const [name, value] of Object.entries(search)) {
    if (isFilter(name) && typeof value === 'string') filters.push([name, value])
    else if (!pageParams.includes(name) || typeof value !== 'string') ignored.push(name)
  }
  function readOption<Option extends string>(
    name: string,
    options: readonly Option[],
    fallback?: string,
  ): Option | undefined {
    const text = paramValue(search, name)
    const option = options.find((one) => one === text)
    if (text !== undefined && option === undefined) ignored.push(`${name}=${text}`)
    return option ?? options.find((one) => one === fallback)
  }
  const output = Number(paramValue(search, 'output') ?? 1)
  const rows = {
    filters,
    order: paramValue(search, 'order'),
    on: paramValue(search, 'on'),
    columns: paramValue(search, 'cols')?.split(',').map(decodeColumn),
    density: readOption('density', DENSITIES, preferred.density) ?? 'compact',
    textFormat: readOption('as', TEXT_FORMATS, preferred.textFormat) ?? 'text',
    output: Number.isInteger(output) && output > 0 ? output : 1,
    ignored,
  }
  return { rows, readOption }
}

/** Returns the text unchanged if it is not valid percent-encoding. */
function decodeColumn(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A change of the search params that removes these filters. */
export function withoutFilters(filters: readonly Filter[]): SearchParams {
  return Object.fromEntries(filters.map(([name]) => [name, undefined]))
}

/** Changes a preference, and the search param if it is set. */
export function useChangePreference(): (name: 'density' | 'as', value: string) => void {
  const search: SearchParams = useSearch({ strict: false })
  const changeParams = useChangeSearchParams()
  return (name, value) => {
    setPreference(name, value)
    if (search[name] !== undefined) changeParams({ [name]: value }, { replace: true })
  }
}
