// Search params as strings. They use the syntax of the API, so values are not parsed further.
import { useNavigate } from '@tanstack/react-router'

export type SearchParams = Record<string, string | string[] | undefined>

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

export function stringifySearch(search: SearchParams): string {
  const parts = Object.entries(search).flatMap(([name, value]) =>
    [value ?? []].flat().map((text) => `${encodeReadably(name)}=${encodeReadably(text)}`),
  )
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

/** The value of a param, or its first value if it is repeated. */
export function paramValue(search: SearchParams, name: string): string | undefined {
  const value = search[name]
  return Array.isArray(value) ? value[0] : value
}

/** Percent-encodes everything except , : / and @, which are valid in a query and easier to read. */
function encodeReadably(text: string): string {
  return encodeURIComponent(text).replace(/%(2C|3A|2F|40)/g, decodeURIComponent)
}

/** Changes params; undefined removes one. Adds a history entry unless `replace` is set, as while typing. */
export function useChangeSearchParams(): (change: SearchParams, options?: { replace?: boolean }) => void {
  const navigate = useNavigate()
  return (change, { replace = false } = {}) => {
    void navigate({ to: '.', search: (old: SearchParams) => ({ ...old, ...change }), replace })
  }
}
