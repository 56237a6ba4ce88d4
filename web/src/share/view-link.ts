// Builds a link to a view. It includes the preferences of this browser, so that others see the same.
import type { Density, TextFormat } from '../state/row-params.ts'
import { stringifySearch } from '../state/search-params.ts'

/** Some programs truncate longer links. */
export const MAX_LINK_LENGTH = 1900

export interface ViewLink {
  link: string
  /** Columns are dropped first if the link is too long. */
  areColumnsOmitted?: boolean
}

interface ViewSettings {
  density: Density
  columns: string[] | undefined
  textFormat?: TextFormat | undefined
  /** The id of the baseline, if there is one. */
  base?: string | undefined
}

/** `page` is the URL without search params. */
export function viewLink(
  page: string,
  search: object,
  { density, textFormat, columns, base }: ViewSettings,
): ViewLink {
  const cols = columns?.map(encodeURIComponent).join(',')
  const params = {
    ...search,
    ...(base !== undefined && { base }),
    density: density === 'default' ? undefined : density,
    as: textFormat,
    cols,
  }
  const link = page + stringifySearch(params)
  if (link.length < MAX_LINK_LENGTH || cols === undefined) return { link, areColumnsOmitted: false }
  return { link: page + stringifySearch({ ...params, cols: undefined }), areColumnsOmitted: true }
}
