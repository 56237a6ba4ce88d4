// A link that shows others the same: it says what this browser has as its own defaults.
import { type Search, stringifySearch } from '../search.ts'
import type { View } from './view.ts'

/** Some programs cut links that are longer. */
export const LONGEST_LINK = 1900

export interface ViewLink {
  link: string
  /** Columns are the part that a view can do without. */
  areColumnsLeftOut: boolean
}

/** `page` is the address without a query. */
export function viewLink(
  page: string,
  search: Search,
  { density, shape, columns }: Pick<View, 'density' | 'columns'> & Partial<Pick<View, 'shape'>>,
): ViewLink {
  const cols = columns?.map(encodeURIComponent).join(',')
  const said = { ...search, density, as: shape, cols }
  const whole = page + stringifySearch(said)
  if (whole.length < LONGEST_LINK || cols === undefined) return { link: whole, areColumnsLeftOut: false }
  return { link: page + stringifySearch({ ...said, cols: undefined }), areColumnsLeftOut: true }
}
