// State of the variant page: revisions with their changes, the metrics, and the filter.
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Revision, variantQuery } from '../../queries/variants.ts'
import { type ChangeLabels, changeLabelsOf, searchText } from '../../revisions/change-labels.ts'
import { metricsOf, selectedMetric } from '../../revisions/metrics.ts'
import { useRevisions } from '../../revisions/use-revisions.ts'
import { ignoredParams } from '../../state/search-params.ts'

export interface HistoryEntry {
  revision: Revision
  changeLabels: ChangeLabels
}

export type History = ReturnType<typeof useHistory>

export function useHistory(id: string) {
  const search = useSearch({ from: '/variants/$variantId' })
  const { on, figure, q: filter = '' } = search
  const variant = useQuery(variantQuery(id))
  const { revisions, error } = useRevisions(id)
  const entries = useMemo(() => entriesOf(revisions ?? []), [revisions])
  const metrics = useMemo(() => metricsOf(revisions ?? []), [revisions])
  const metric = selectedMetric(metrics, { on, figure })
  const matches = useMemo(() => filterEntries(entries, filter), [entries, filter])
  const ignored = ignoredParams(search)
  if (revisions && on !== undefined && metric?.search.on !== on) ignored.push(`on=${on}`)
  if (revisions && figure !== undefined && metric?.search.figure !== figure) ignored.push(`figure=${figure}`)
  return {
    id,
    variant: variant.data,
    /** Oldest first; undefined while loading. */
    revisions,
    /** Oldest first. */
    entries,
    /** Revisions that match the filter, newest first. */
    matches,
    metrics,
    metric,
    filter,
    /** Search params that have no effect. */
    ignored,
    error: variant.error ?? error,
  }
}

function entriesOf(revisions: readonly Revision[]): HistoryEntry[] {
  return revisions.map((revision, index) => ({
    revision,
    changeLabels: changeLabelsOf(revision, revisions[index - 1]),
  }))
}

function filterEntries(entries: readonly HistoryEntry[], filter: string): HistoryEntry[] {
  const text = filter.toLowerCase()
  return entries
    .filter(({ revision, changeLabels }) => searchText(revision, changeLabels).includes(text))
    .toReversed()
}
