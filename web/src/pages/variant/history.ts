// State of the variant page: revisions with their changes, the metrics, and the filter.
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Revision, revisionsQuery, variantQuery } from '../../queries/variants.ts'
import { type ChangeLabels, changeLabelsOf, searchText } from '../../revisions/change-labels.ts'
import { type Baseline, baselinesOf, metricsOf, selectedMetric } from '../../revisions/metrics.ts'
import { ignoredParams } from '../../state/search-params.ts'

export interface HistoryEntry {
  revision: Revision
  changeLabels: ChangeLabels
  /** The value that its evaluations are compared with. */
  baseline: Baseline | undefined
}

export type History = ReturnType<typeof useHistory>

export function useHistory(id: string) {
  const search = useSearch({ from: '/variants/$variantId' })
  const { on, figure, q: filter = '' } = search
  const variant = useQuery(variantQuery(id))
  const { data: revisions, error } = useQuery(revisionsQuery(id))
  const changes = useMemo(() => changesByRevision(revisions ?? []), [revisions])
  const metrics = useMemo(() => metricsOf(revisions ?? []), [revisions])
  const metric = selectedMetric(metrics, { on, figure })
  const baselines = useMemo(
    () => (metric ? baselinesOf(revisions ?? [], metric) : new Map<number, Baseline>()),
    [revisions, metric],
  )
  const entries = useMemo(
    () => filterEntries(revisions ?? [], changes, baselines, filter),
    [revisions, changes, baselines, filter],
  )
  const ignored = ignoredParams(search)
  if (revisions && on !== undefined && metric?.search.on !== on) ignored.push(`on=${on}`)
  if (revisions && figure !== undefined && metric?.search.figure !== figure) ignored.push(`figure=${figure}`)
  return {
    id,
    variant: variant.data,
    /** Oldest first; undefined while loading. */
    revisions,
    /** Revisions that match the filter, newest first. */
    entries,
    changes,
    baselines,
    metrics,
    metric,
    filter,
    /** Search params that have no effect. */
    ignored,
    error: variant.error ?? error,
  }
}

function changesByRevision(revisions: readonly Revision[]): Map<number, ChangeLabels> {
  return new Map(
    revisions.map((revision, index) => [revision.revision, changeLabelsOf(revision, revisions[index - 1])]),
  )
}

function filterEntries(
  revisions: readonly Revision[],
  changes: Map<number, ChangeLabels>,
  baselines: Map<number, Baseline>,
  filter: string,
): HistoryEntry[] {
  const text = filter.toLowerCase()
  return revisions.toReversed().flatMap((revision) => {
    const changeLabels = changes.get(revision.revision) ?? { labels: [], more: 0 }
    if (!searchText(revision, changeLabels).includes(text)) return []
    return [{ revision, changeLabels, baseline: baselines.get(revision.revision) }]
  })
}
