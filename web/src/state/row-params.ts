// Search params shared by all tables of rows: filters, order, columns, density and text format.
import { useMemo } from 'react'
import { findRowField, ROW_FILTERS, type RowField } from '../../../src/schema/filters/fields.ts'
import { setPreference, usePreference } from './preferences.ts'
import {
  ignoredParams,
  numberUpTo,
  oneOf,
  type ParamTable,
  searchOf,
  text,
  useChangeSearchParams,
  useSharedSearch,
} from './search-params.ts'

/** The row heights that a URL can contain. Without one, rows have the default height. */
const DENSITY_PARAMS = ['compact', 'medium', 'tall'] as const
export const DENSITIES = ['default', ...DENSITY_PARAMS] as const
export type Density = (typeof DENSITIES)[number]

export function nextDensity(density: Density): Density {
  return DENSITIES[(DENSITIES.indexOf(density) + 1) % DENSITIES.length] ?? 'default'
}

export const TEXT_FORMATS = ['text', 'markdown', 'json'] as const
export type TextFormat = (typeof TEXT_FORMATS)[number]

/** Name and value of a query parameter of the API: ['latency', 'gt.2'], or both values of `disagree`. */
export type Filter = readonly [name: string, value: string | string[]]

type FilterNames = {
  [Field in RowField]: (typeof ROW_FILTERS)[Field] extends { names: string }
    ? `${(typeof ROW_FILTERS)[Field] extends { prefix: infer Prefix extends string } ? Prefix : Field}.${string}`
    : Field
}
/** Filters as search params; undefined removes one. */
export type FilterSearch = { [name in FilterNames[RowField]]?: string | string[] | undefined }

/** The page shows one filter per name. Only a pair has two values. */
function isFilter(name: string, values: string[]): boolean {
  const { field } = findRowField(name) ?? {}
  return field !== undefined && new Set(values).size === values.length && values.length === countValues(field)
}

const countValues = (field: RowField) => (ROW_FILTERS[field].type === 'pair' ? 2 : 1)

const ROW_PARAMS = {
  order: text,
  on: text,
  /** What the rows are broken down by. */
  breakdown: text,
  cols: text,
  density: oneOf(DENSITY_PARAMS),
  as: oneOf(TEXT_FORMATS),
  output: numberUpTo(Number.MAX_SAFE_INTEGER),
}

/** Creates the `validateSearch` of a page with rows: the common params, those of the page, and filters. */
export function rowSearchOf<Table extends ParamTable>(table: Table) {
  return searchOf<typeof ROW_PARAMS & Table, FilterSearch>({ ...ROW_PARAMS, ...table }, isFilter)
}

export interface RowPreferences {
  density?: string | undefined
  textFormat?: string | undefined
}

/** Reads the search params, with preferences as defaults. */
export function useRowParams<Search, Params>(
  search: Search,
  read: (search: Search, preferred: RowPreferences) => Params,
): Params {
  const density = usePreference('density')
  const textFormat = usePreference('as')
  return useMemo(() => read(search, { density, textFormat }), [read, search, density, textFormat])
}

/** The common params, with defaults. */
export function readRowParams(
  search: ReturnType<ReturnType<typeof searchOf<typeof ROW_PARAMS, FilterSearch>>>,
  preferred: RowPreferences,
) {
  return {
    filters: Object.entries(search).filter(
      (param): param is [string, string | string[]] =>
        findRowField(param[0]) !== undefined && param[1] !== undefined,
    ),
    order: search.order,
    on: search.on,
    breakdown: search.breakdown,
    columns: search.cols?.split(',').map(decodeColumn),
    density: search.density ?? oneOf(DENSITIES)(preferred.density ?? '') ?? 'default',
    textFormat: search.as ?? oneOf(TEXT_FORMATS)(preferred.textFormat ?? '') ?? 'text',
    output: search.output ?? 1,
    ignored: ignoredParams(search),
  }
}

/** Returns the text unchanged if it is not valid percent-encoding. */
function decodeColumn(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

interface KnownNames {
  evaluators: string[]
  inputs: string[]
  hasBaseline: boolean
}

/** Filters and order by names that the rows have, and the other params. All are accepted until the names are loaded. */
export function withoutUnknownNames(
  { filters, order }: { filters: Filter[]; order: string | undefined },
  names: KnownNames | undefined,
) {
  /** `param` is the name of a filter or an order: `result.exact_match` or `result.exact_match.desc`. */
  function isKnown(param: string): boolean {
    const [family = '', ...rest] = param.split('.')
    if (names === undefined || rest.length === 0) return true
    const name = rest.join('.')
    const has = (known: string[]) => known.some((one) => [one, `${one}.asc`, `${one}.desc`].includes(name))
    if (family === 'input') return has(names.inputs)
    if (family === 'delta' && !names.hasBaseline) return false
    return !['delta', 'result', 'error'].includes(family) || has(names.evaluators)
  }
  const isOrderKnown = order === undefined || isKnown(order)
  const unknownFilters = filters.filter(
    ([name, value]) =>
      !isKnown(name) || (Array.isArray(value) && !value.every((one) => isKnown(`result.${one}`))),
  )
  return {
    filters: filters.filter((filter) => !unknownFilters.includes(filter)),
    order: isOrderKnown ? order : undefined,
    unknown: [...unknownFilters.map(([name]) => name), ...(isOrderKnown ? [] : [`order=${order}`])],
  }
}

/** A change of the search params that removes these filters. */
export function withoutFilters(filters: readonly Filter[]): FilterSearch {
  return Object.fromEntries(filters.map(([name]) => [name, undefined]))
}

interface PreferredValues {
  density: Density
  as: TextFormat
}

/** Changes a preference, and the search param if it is set. */
export function useChangePreference() {
  const search = useSharedSearch()
  const changeParams = useChangeSearchParams()
  return <Name extends keyof PreferredValues>(name: Name, value: PreferredValues[Name]) => {
    const param = value === 'default' ? undefined : value
    setPreference(name, param)
    if (search[name] !== undefined) changeParams({ [name]: param }, { replace: true })
  }
}
