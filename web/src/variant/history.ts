// What the page of a variant shows: its revisions, measured by what the address says, and what each of them changed.
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Variant } from 'assay-client'
import { useMemo } from 'react'
import { one, type Search } from '../search.ts'
import { type Changed, changesOf, searchedText } from './changes.ts'
import { type Base, basesOf, chosenMeasure, type Measure, measuresOf } from './measures.ts'
import { historyQuestion, type Revision, variantQuestion } from './questions.ts'

export interface Entry {
  revision: Revision
  changed: Changed
  /** What the figures of its evaluations are compared with. */
  base: Base | undefined
}

export interface History {
  id: string
  variant: Variant | undefined
  /** The first one first; undefined while they are being read. */
  revisions: Revision[] | undefined
  /** Those that the filter leaves, newest first. */
  entries: Entry[]
  changes: Map<number, Changed>
  bases: Map<number, Base>
  measures: Measure[]
  measure: Measure | undefined
  filter: string
  /** Parts of the address that mean nothing here. */
  ignored: string[]
  error: unknown
}

const KNOWN = ['q', 'on', 'figure']

export function useHistory(id: string): History {
  const search: Search = useSearch({ strict: false })
  const variant = useQuery(variantQuestion(id))
  const { data: revisions, error } = useQuery(historyQuestion(id))
  const [on, figure, filter = ''] = [one(search, 'on'), one(search, 'figure'), one(search, 'q')]
  const changes = useMemo(() => allChanges(revisions ?? []), [revisions])
  const measures = useMemo(() => measuresOf(revisions ?? []), [revisions])
  const measure = chosenMeasure(measures, { on, figure })
  const bases = useMemo(() => (measure ? basesOf(revisions ?? [], measure) : new Map()), [revisions, measure])
  const entries = useMemo(
    () => entriesOf(revisions ?? [], changes, bases, filter),
    [revisions, changes, bases, filter],
  )
  const ignored = Object.keys(search).filter((name) => !KNOWN.includes(name))
  if (revisions && on !== undefined && measure?.search.on !== on) ignored.push(`on=${on}`)
  if (revisions && figure !== undefined && measure?.search.figure !== figure) ignored.push(`figure=${figure}`)
  return {
    id,
    variant: variant.data,
    revisions,
    entries,
    changes,
    bases,
    measures,
    measure,
    filter,
    ignored,
    error: variant.error ?? error,
  }
}

function allChanges(revisions: readonly Revision[]): Map<number, Changed> {
  return new Map(
    revisions.map((revision, index) => [revision.revision, changesOf(revision, revisions[index - 1])]),
  )
}

function entriesOf(
  revisions: readonly Revision[],
  changes: Map<number, Changed>,
  bases: Map<number, Base>,
  filter: string,
): Entry[] {
  const wanted = filter.toLowerCase()
  return revisions.toReversed().flatMap((revision) => {
    const changed = changes.get(revision.revision) ?? { phrases: [], more: 0 }
    if (!searchedText(revision, changed).includes(wanted)) return []
    return [{ revision, changed, base: bases.get(revision.revision) }]
  })
}
