// A link that shows others the same: it says what this browser has as its own defaults.
import { type Search, stringifySearch } from '../search.ts'
import type { View } from './view.ts'

/** Some programs cut links that are longer. */
export const LONGEST_LINK = 1900

export interface ViewLink {
  link: string
  /** Columns are the part that a view can do without. */
  areColumnsLeftOut?: boolean
}

type Said = Pick<View, 'density' | 'columns'> & {
  shape?: View['shape'] | undefined
  /** The evaluation that is compared with, where there is one. */
  base?: string | undefined
}

/** `page` is the address without a query. */
export function viewLink(page: string, search: Search, { density, shape, columns, base }: Said): ViewLink {
  const cols = columns?.map(encodeURIComponent).join(',')
  const said = { ...search, base: base ?? search.base, density, as: shape, cols }
  const whole = page + stringifySearch(said)
  if (whole.length < LONGEST_LINK || cols === undefined) return { link: whole, areColumnsLeftOut: false }
  return { link: page + stringifySearch({ ...said, cols: undefined }), areColumnsLeftOut: true }
}
