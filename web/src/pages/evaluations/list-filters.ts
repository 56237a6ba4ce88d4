// The filters of the list. The router needs them on every page, so this module imports nothing of the page.
import type { EVALUATION_FILTERS } from '../../../../src/schema/filters/fields.ts'

/** A filter of the API by a field of evaluations. */
export interface ListFilter {
  /** The name of the field, the search param and the API parameter. */
  param: FilterParam
  noun: string
  /** `contains` is a search field, the others have options. */
  operator: 'contains' | 'eq' | 'has'
  /** Matches valid values. All are valid by default. */
  pattern?: RegExp
  /** Formats a value for labels. */
  format?: (value: string) => string
  /** Another filter without which this one is hidden. It is removed together with that one. */
  dependsOn?: FilterParam
}

export type FilterParam = Extract<
  keyof typeof EVALUATION_FILTERS,
  'name' | 'status' | 'variant_id' | 'revision' | 'tags'
>

export const LIST_FILTERS: readonly ListFilter[] = [
  { param: 'name', noun: 'name', operator: 'contains', format: (name) => `“${name}”` },
  { param: 'variant_id', noun: 'variant', operator: 'eq' },
  {
    param: 'revision',
    noun: 'revision',
    operator: 'eq',
    pattern: /^\d+$/,
    format: (revision) => `r${revision}`,
    // Revision numbers are per variant.
    dependsOn: 'variant_id',
  },
  { param: 'tags', noun: 'tag', operator: 'has' },
  { param: 'status', noun: 'status', operator: 'eq', pattern: /^(?:running|finished|failed)$/ },
]
