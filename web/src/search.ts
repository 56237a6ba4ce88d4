// The query of an address as a record of texts. The words are those of the API, so nothing is parsed any further.
export type Search = Record<string, string | string[] | undefined>

/** A name that stands more than once has all of its values. */
export function parseSearch(text: string): Search {
  const params = new URLSearchParams(text)
  const search: Search = Object.create(null)
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name)
    search[name] = values.length === 1 ? values[0] : values
  }
  return search
}

export function stringifySearch(search: Search): string {
  const parts = Object.entries(search).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${readable(name)}=${readable(one)}`),
  )
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

/** The one value of a name; of several, the first. */
export function one(search: Search, name: string): string | undefined {
  const value = search[name]
  return Array.isArray(value) ? value[0] : value
}

/** Percent-encoded, but for what no query needs encoded and people like to read. */
function readable(text: string): string {
  return encodeURIComponent(text).replace(/%(2C|3A|2F|40)/g, decodeURIComponent)
}
