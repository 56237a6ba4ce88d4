// The groups of the first page in the order of attention: worse, then better and tied, then those without a baseline.
import type { Evaluation, EvaluationSummary } from 'assay-client'
import type { EvaluationGroup } from '../../../groups/groups.ts'
import { baselineName, type Headline, headlineOf, type Series, seriesOf } from '../../../groups/series.ts'
import { needsSummary, withSummary } from './card-data.ts'

export interface Entry {
  group: EvaluationGroup
  series: Series
  headline: Headline
  /** The name of the baseline of the latest evaluation. */
  baseline: string | undefined
  kind: 'worse' | 'compared' | 'single'
  /** Whether the comparison with the baseline was requested separately and has not arrived. */
  isLoading: boolean
}

/** The response to a separate request for a comparison. */
interface SummaryState {
  data: EvaluationSummary | undefined
  isLoading: boolean
}

/** The number of evaluations that are compared on request, so that the page makes at most ten requests. */
export const MAX_REQUESTS = 2

/** The evaluations that are too large to be compared in the list. */
export function largeEvaluations(groups: readonly EvaluationGroup[]): Evaluation[] {
  return groups
    .flatMap((group) => {
      const { latest } = seriesOf(group)
      return latest && needsSummary(latest, group.evaluations) ? [latest] : []
    })
    .slice(0, MAX_REQUESTS)
}

/** `summaries` are the comparisons of large evaluations by their ids. */
export function entriesOf(
  groups: readonly EvaluationGroup[],
  summaries: ReadonlyMap<string, SummaryState>,
): Entry[] {
  const entries = groups.map((group): Entry => {
    const listed = seriesOf(group)
    const summary = summaries.get(listed.latest?.id ?? '')
    const series = withChanges(listed, summary?.data)
    const { latest, evaluators } = series
    const headline = headlineOf(latest, evaluators)
    const baseline = latest && baselineName(latest, group.evaluations)
    const hasBaseline = baseline !== undefined || (latest && needsSummary(latest, group.evaluations))
    const kind = headline.outcome === 'worse' ? 'worse' : hasBaseline ? 'compared' : 'single'
    return { group, series, headline, baseline, kind, isLoading: summary?.isLoading ?? false }
  })
  return entries.sort((a, b) => positionOf(a) - positionOf(b) || b.headline.share - a.headline.share)
}

function withChanges(series: Series, summary: EvaluationSummary | undefined): Series {
  if (!series.latest || !summary) return series
  const latest = withSummary(series.latest, summary)
  return { ...series, latest, points: series.points.with(-1, latest) }
}

function positionOf({ kind, headline: { outcome } }: Entry): number {
  if (kind === 'single') return 4
  return ['worse', 'better', 'tied', undefined].indexOf(outcome)
}
