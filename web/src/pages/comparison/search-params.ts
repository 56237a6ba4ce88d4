// Search params of the comparison page: evaluations, row class, filters, order, layout and the open row.
import type { ListComparisonRowsQuery } from 'assay-client'
import { rowSearchOf } from '../../state/row-params.ts'
import { numberUpTo, oneOf, type PageSearch, text, texts } from '../../state/search-params.ts'

export const CLASS_FILTERS = [
  'regressed',
  'improved',
  'unclear',
  'same',
  'incomparable',
  'missing',
  'all',
] as const
export type ClassFilter = NonNullable<ListComparisonRowsQuery['show']>

export const MAX_EVALUATIONS = 4

const SIDES = ['base', 'candidate'] as const

/** References a row by its scenario in the baseline, or in the first candidate if the baseline has none. */
export interface RowRef {
  id: string
  side: (typeof SIDES)[number]
}

export const comparisonSearch = rowSearchOf({
  /** Evaluation ids, the baseline first. */
  evaluation: texts,
  show: oneOf(CLASS_FILTERS),
  /** The join key. */
  by: text,
  row: text,
  side: oneOf(SIDES),
  /** Number of the candidate in the row panel, or `all` for all evaluations side by side. */
  pair: (value): number | 'all' | undefined =>
    value === 'all' ? value : numberUpTo(MAX_EVALUATIONS - 1)(value),
})

/** Opens a row, or closes the panel if undefined. */
export function rowSearchParams(row: RowRef | undefined): PageSearch<'/compare'> {
  return { row: row?.id, side: row?.side === 'candidate' ? row.side : undefined, output: undefined }
}

/** Also closes the open row, which belongs to the previous evaluations. */
export function withEvaluations(evaluations: readonly string[]): PageSearch<'/compare'> {
  return { evaluation: [...evaluations], row: undefined, side: undefined, pair: undefined }
}
