// Search params of the comparison page: evaluations, row class, filters, order, layout and the open row.
import type { ListComparisonRowsQuery } from 'assay-client'
import type { Density } from '../../state/row-params.ts'
import {
  type Filter,
  type RowPreferences,
  readRowParams,
  type TextFormat,
  useRowParams,
} from '../../state/row-params.ts'
import { paramValue, type SearchParams } from '../../state/search-params.ts'

export const CLASS_FILTERS = ['regressed', 'improved', 'same', 'incomparable', 'missing', 'all'] as const
export type ClassFilter = NonNullable<ListComparisonRowsQuery['show']>

export const MAX_EVALUATIONS = 4
const PAIRS = ['1', '2', '3'] as const

const SIDES = ['base', 'candidate'] as const
export type Side = (typeof SIDES)[number]

/** References a row by its scenario in the baseline, or in the first candidate if the baseline has none. */
export interface RowRef {
  id: string
  side: Side
}

export interface ComparisonParams {
  /** Evaluation ids, the baseline first; without duplicates, at most four. */
  evaluations: string[]
  show: ClassFilter
  /** The evaluator that row classes use, if the URL has one. */
  on: string | undefined
  /** The join key. */
  by: string
  filters: Filter[]
  order: string | undefined
  columns: string[] | undefined
  density: Density
  /** Format of texts: plain text, Markdown or JSON. */
  textFormat: TextFormat
  row: RowRef | undefined
  /** Number of the candidate in the row panel, from 1. */
  pair: number
  /** Number of the output, from 1. */
  output: number
  /** Search params that have no effect. */
  ignored: string[]
}

const PAGE_PARAMS = ['show', 'on', 'by', 'order', 'cols', 'density', 'as', 'row', 'side', 'pair', 'output']

export function useComparisonParams(): ComparisonParams {
  return useRowParams(readComparisonParams)
}

export function readComparisonParams(search: SearchParams, preferred: RowPreferences = {}): ComparisonParams {
  const { evaluation, ...others } = search
  const { rows, readOption } = readRowParams(others, PAGE_PARAMS, preferred)
  const ids = [evaluation ?? []].flat()
  const evaluations = [...new Set(ids)]
  if (evaluations.length < ids.length) rows.ignored.push('a duplicate evaluation')
  for (const id of evaluations.slice(MAX_EVALUATIONS))
    rows.ignored.push(`evaluation=${id} (at most ${MAX_EVALUATIONS})`)
  const row = paramValue(search, 'row')
  return {
    ...rows,
    evaluations: evaluations.slice(0, MAX_EVALUATIONS),
    show: readOption('show', CLASS_FILTERS) ?? 'regressed',
    by: paramValue(search, 'by') ?? 'auto',
    row: row === undefined ? undefined : { id: row, side: readOption('side', SIDES) ?? 'base' },
    pair: Number(readOption('pair', PAIRS.slice(0, Math.max(1, evaluations.length - 1))) ?? 1),
  }
}

/** Opens a row, or closes the panel if undefined. */
export function rowSearchParams(row: RowRef | undefined): SearchParams {
  return { row: row?.id, side: row?.side === 'candidate' ? row.side : undefined, output: undefined }
}
