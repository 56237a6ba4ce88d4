// How evaluations are compared, as the address has it: which they are, what is shown of them, and what only a screen has.
import { useSearch } from '@tanstack/react-router'
import type { ListComparisonRowsQuery } from 'assay-client'
import { useMemo } from 'react'
import { decoded, type Filter, isFilter, SHAPES, type Shape } from '../evaluation/view.ts'
import { DENSITIES, type Density } from '../grid/density.ts'
import { usePreference } from '../preferences.ts'
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

const SCREEN = [
  'evaluation',
  'show',
  'on',
  'by',
  'order',
  'cols',
  'density',
  'as',
  'row',
  'side',
  'pair',
  'output',
]

export function useView(): View {
  const search: Search = useSearch({ strict: false })
  const density = usePreference('density')
  const shape = usePreference('as')
  return useMemo(() => readView(search, { density, shape }), [search, density, shape])
}

export function readView(
  search: Search,
  preferred: { density?: string | undefined; shape?: string | undefined } = {},
): View {
  const ignored: string[] = []
  const filters: Filter[] = []
  for (const [name, value] of Object.entries(search)) {
    if (name === 'evaluation') continue
    if (isFilter(name) && typeof value === 'string') filters.push([name, value])
    else if (!SCREEN.includes(name) || typeof value !== 'string') ignored.push(name)
  }
  function word<Word extends string>(name: string, words: readonly Word[], otherwise: Word): Word {
    const said = one(search, name)
    const found = words.find((known) => known === said)
    if (said !== undefined && found === undefined) ignored.push(`${name}=${said}`)
    return found ?? otherwise
  }
  const asked = [search.evaluation ?? []].flat()
  const evaluations = [...new Set(asked)]
  if (evaluations.length < asked.length) ignored.push('an evaluation that is named twice')
  for (const id of evaluations.slice(MOST_COMPARED))
    ignored.push(`evaluation=${id} (${MOST_COMPARED} are compared at most)`)
  const row = one(search, 'row')
  const output = Number(one(search, 'output') ?? 1)
  return {
    evaluations: evaluations.slice(0, MOST_COMPARED),
    show: word('show', SHOWN_CLASSES, 'regressed'),
    on: one(search, 'on'),
    by: one(search, 'by') ?? 'auto',
    filters,
    order: one(search, 'order'),
    columns: one(search, 'cols')?.split(',').map(decoded),
    density: word('density', DENSITIES, DENSITIES.find((known) => known === preferred.density) ?? 'compact'),
    shape: word('as', SHAPES, SHAPES.find((known) => known === preferred.shape) ?? 'text'),
    row: row === undefined ? undefined : { id: row, side: word('side', SIDES, 'base') },
    pair: Number(word('pair', PAIRS.slice(0, Math.max(1, evaluations.length - 1)), '1')),
    output: Number.isInteger(output) && output > 0 ? output : 1,
    ignored,
  }
}
