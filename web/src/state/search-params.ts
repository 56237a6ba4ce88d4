// Search params. Each page declares its own in a table, with which the router reads, checks and types them. Values use the
// syntax of the API.
import { type RegisteredRouter, type SearchSchemaInput, useNavigate, useSearch } from '@tanstack/react-router'

/** As in the URL. A repeated param has several values. */
export type SearchParams = Record<string, string | string[] | undefined>

/** Reads a param: its value, or all values if it can be repeated. Returns undefined if it is invalid. */
type ParamReader<Value> = (text: string, texts: string[]) => Value | undefined
export type ParamTable = Record<string, ParamReader<unknown>>
type ParamsOf<Table extends ParamTable> = {
  [Name in keyof Table]?: NonNullable<ReturnType<Table[Name]>> | undefined
}

/** Params that are unknown or invalid. The page lists them, and they stay in the URL. */
interface IgnoredSearch {
  ignored?: SearchParams | undefined
}

export const text = (value: string) => value
export const texts = (_first: string, values: string[]) => values
export const oneOf =
  <const Options extends readonly string[]>(options: Options) =>
  (value: string): Options[number] | undefined =>
    options.find((option) => option === value)
/** A number from 1 to `most`. */
export const numberUpTo = (most: number) => (value: string) =>
  /^[1-9]\d*$/.test(value) && Number(value) <= most ? Number(value) : undefined
export const matching =
  <Text extends string>(pattern: RegExp) =>
  (value: string): Text | undefined =>
    pattern.test(value) ? (value as Text) : undefined

/** Creates the `validateSearch` of a page. Filters are named after evaluators and inputs, so they cannot be in the table. */
export function searchOf<Table extends ParamTable, Filters = unknown>(
  table: Table,
  isFilter: (name: string, values: string[]) => boolean = () => false,
) {
  type Search = ParamsOf<Table> & NoInfer<Filters>
  return (search: Search & SearchSchemaInput): Search & IgnoredSearch => {
    // Without prototypes: a param can have any name.
    const params: Record<string, unknown> = Object.create(null)
    const ignored: SearchParams = Object.create(null)
    for (const [name, value] of Object.entries(urlParams(search))) {
      if (value === undefined) continue
      const values = [value].flat()
      const read = Object.hasOwn(table, name) ? table[name] : undefined
      // Invalid params are set to undefined, because the router merges the result with the params of the URL.
      params[name] = read ? read(values[0] ?? '', values) : isFilter(name, values) ? value : undefined
      if (params[name] === undefined) ignored[name] = value
    }
    params.ignored = Object.keys(ignored).length > 0 ? ignored : undefined
    return { ...params } as Search & IgnoredSearch
  }
}

export function ignoredParams({ ignored = {} }: IgnoredSearch): string[] {
  return Object.entries(ignored).map(([name, value]) => (Array.isArray(value) ? name : `${name}=${value}`))
}

/** The params as texts, with the ignored ones in their place. */
function urlParams(search: object): SearchParams {
  const { ignored, ...params } = search as Record<string, unknown>
  // A param of the URL can have this name, too.
  const isRecord = typeof ignored === 'object' && !Array.isArray(ignored)
  const others: Record<string, unknown> = isRecord ? { ...ignored } : { ignored }
  const texts: SearchParams = Object.create(null)
  for (const name of Object.keys({ ...params, ...others })) {
    const value = params[name] ?? others[name]
    if (value !== undefined) texts[name] = Array.isArray(value) ? value.map(String) : String(value)
  }
  return texts
}

/** A repeated name gets an array of its values. */
export function parseSearch(text: string): SearchParams {
  const params = new URLSearchParams(text)
  const search: SearchParams = Object.create(null)
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name)
    search[name] = values.length === 1 ? values[0] : values
  }
  return search
}

export function stringifySearch(search: object): string {
  const parts = Object.entries(urlParams(search)).flatMap(([name, value]) =>
    [value ?? []].flat().map((text) => `${encodeReadably(name)}=${encodeReadably(text)}`),
  )
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

/** Percent-encodes everything except , : / and @, which are valid in a query and easier to read. */
function encodeReadably(text: string): string {
  return encodeURIComponent(text).replace(/%(2C|3A|2F|40)/g, decodeURIComponent)
}

type Pages = RegisteredRouter['routesByPath']
/** The params that a page accepts in links. */
export type PageSearch<Path extends keyof Pages> = Pages[Path]['types']['fullSearchSchemaInput']

type RowPages = '/evaluations/$evaluationId' | '/compare'

/** The params of the current page, in a component that several pages share. */
export function useSharedSearch<
  Path extends keyof Pages = RowPages,
>(): Pages[Path]['types']['fullSearchSchema'] {
  const search: unknown = useSearch({ strict: false })
  return search as never
}

/**
 * Changes params of the page at `Path`, by default of a page with rows; undefined removes one. Adds a history entry unless
 * `replace` is set, as while typing.
 */
export function useChangeSearchParams<Path extends keyof Pages = RowPages>(): (
  change: PageSearch<Path>,
  options?: { replace?: boolean },
) => void {
  const navigate = useNavigate()
  return (change, { replace = false } = {}) => {
    // The type of the page is only known to the caller.
    void navigate({ to: '.', search: ((old: object) => ({ ...old, ...change })) as never, replace })
  }
}
