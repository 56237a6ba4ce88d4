// Search params of the comparison page: evaluations, row class, filters, order, layout and the open row, with their defaults.
import { useSearch } from '@tanstack/react-router'
import type { ListComparisonRowsQuery } from 'assay-client'
import { type RowPreferences, readRowParams, rowSearchOf, useRowParams } from '../../state/row-params.ts'
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

export type ComparisonParams = ReturnType<typeof readComparisonParams>

/** The search params of the comparison page with their defaults. */
export function readComparisonParams(
  search: ReturnType<typeof comparisonSearch>,
  preferred: RowPreferences = {},
) {
  const params = readRowParams(search, preferred)
  const { evaluation: ids = [], show = 'regressed', by = 'auto', row: id, side = 'base', pair = 1 } = search
  // Without duplicates, at most four.
  const evaluations = [...new Set(ids)]
  if (evaluations.length < ids.length) params.ignored.push('a duplicate evaluation')
  for (const id of evaluations.splice(MAX_EVALUATIONS))
    params.ignored.push(`evaluation=${id} (at most ${MAX_EVALUATIONS})`)
  const hasPair = pair === 1 || (pair === 'all' ? evaluations.length > 2 : pair < evaluations.length)
  if (!hasPair) params.ignored.push(`pair=${pair}`)
  const row: RowRef | undefined = id === undefined ? undefined : { id, side }
  return { ...params, evaluations, show, by, row, pair: hasPair ? pair : 1 }
}

export function useComparisonParams(): ComparisonParams {
  return useRowParams(useSearch({ from: '/compare' }), readComparisonParams)
}
