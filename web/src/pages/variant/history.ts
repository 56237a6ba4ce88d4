// State of the variant page: revisions with their changes, the metrics, and the filter.
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Variant } from 'assay-client'
import { useMemo } from 'react'
import { type Revision, revisionsQuery, variantQuery } from '../../queries/variants.ts'
import { type ChangeLabels, changeLabelsOf, searchText } from '../../revisions/change-labels.ts'
import {
  type Baseline,
  baselinesOf,
  type Metric,
  metricsOf,
  selectedMetric,
} from '../../revisions/metrics.ts'
import { ignoredParams } from '../../state/search-params.ts'

export interface HistoryEntry {
  revision: Revision
  changeLabels: ChangeLabels
  /** The value that its evaluations are compared with. */
  baseline: Baseline | undefined
}

export interface History {
  id: string
  variant: Variant | undefined
  /** Oldest first; undefined while loading. */
  revisions: Revision[] | undefined
  /** Revisions that match the filter, newest first. */
  entries: HistoryEntry[]
  changes: Map<number, ChangeLabels>
  baselines: Map<number, Baseline>
  metrics: Metric[]
  metric: Metric | undefined
  filter: string
  /** Search params that have no effect. */
  ignored: string[]
  error: unknown
}

export function useHistory(id: string): History {
  const search = useSearch({ from: '/variants/$variantId' })
  const { on, figure, q: filter = '' } = search
  const variant = useQuery(variantQuery(id))
  const { data: revisions, error } = useQuery(revisionsQuery(id))
  const changes = useMemo(() => changesByRevision(revisions ?? []), [revisions])
  const metrics = useMemo(() => metricsOf(revisions ?? []), [revisions])
  const metric = selectedMetric(metrics, { on, figure })
  const baselines = useMemo(
    () => (metric ? baselinesOf(revisions ?? [], metric) : new Map()),
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
    revisions,
    entries,
    changes,
    baselines,
    metrics,
    metric,
    filter,
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
