// How evaluations are compared, as the address has it: which they are, what is shown of them, and what only a screen has.
import type { ListComparisonRowsQuery } from 'assay-client'
import { type Filter, type Preferred, readRows, type Shape, useRead } from '../evaluation/view.ts'
import type { Density } from '../grid/density.ts'
import { one, type Search } from '../search.ts'

export const SHOWN_CLASSES = ['regressed', 'improved', 'same', 'incomparable', 'missing', 'all'] as const
export type ShownClass = NonNullable<ListComparisonRowsQuery['show']>

export const MOST_COMPARED = 4
const PAIRS = ['1', '2', '3'] as const

const SIDES = ['base', 'candidate'] as const
export type Side = (typeof SIDES)[number]

/** A row by its scenario: that of the base, or of the first candidate where the base has none. */
export interface OpenRow {
  id: string
  side: Side
}

export interface View {
  /** Ids of evaluations, the base first; each once, at most four. */
  evaluations: string[]
  show: ShownClass
  /** The evaluator that classes are about, where one is said. */
  on: string | undefined
  /** What rows are paired by. */
  by: string
  filters: Filter[]
  order: string | undefined
  columns: string[] | undefined
  density: Density
  /** What texts are shown as. */
  shape: Shape
  row: OpenRow | undefined
  /** The candidate in the panel, from 1. */
  pair: number
  /** Which output of several, from 1. */
  output: number
  /** Parts of the address that mean nothing, and were left out. */
  ignored: string[]
}

const SCREEN = ['show', 'on', 'by', 'order', 'cols', 'density', 'as', 'row', 'side', 'pair', 'output']

export function useView(): View {
  return useRead(readView)
}

export function readView(search: Search, preferred: Preferred = {}): View {
  const { evaluation, ...others } = search
  const { rows, word } = readRows(others, SCREEN, preferred)
  const asked = [evaluation ?? []].flat()
  const evaluations = [...new Set(asked)]
  if (evaluations.length < asked.length) rows.ignored.push('an evaluation that is named twice')
  for (const id of evaluations.slice(MOST_COMPARED))
    rows.ignored.push(`evaluation=${id} (${MOST_COMPARED} are compared at most)`)
  const row = one(search, 'row')
  return {
    ...rows,
    evaluations: evaluations.slice(0, MOST_COMPARED),
    show: word('show', SHOWN_CLASSES) ?? 'regressed',
    by: one(search, 'by') ?? 'auto',
    row: row === undefined ? undefined : { id: row, side: word('side', SIDES) ?? 'base' },
    pair: Number(word('pair', PAIRS.slice(0, Math.max(1, evaluations.length - 1))) ?? 1),
  }
}

/** How the address names a row, and none. */
export function rowWords(row: OpenRow | undefined): Search {
  return { row: row?.id, side: row?.side === 'candidate' ? row.side : undefined, output: undefined }
}
