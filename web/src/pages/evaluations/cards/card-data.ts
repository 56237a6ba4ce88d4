// What a card shows besides the series of its group: changes of large evaluations, the largest regression, a new revision.
import type { Evaluation, EvaluationSummary, Variant } from 'assay-client'
import { formatDay } from '../../../format/times.ts'
import type { EvaluationGroup, GroupMeasure } from '../../../groups/groups.ts'

/** Adds the changes of a summary, for evaluations that are too large to be compared in the list. */
export function withSummary(evaluation: Evaluation, summary: EvaluationSummary | undefined): Evaluation {
  const { scores } = evaluation
  if (!scores || !summary?.base) return evaluation
  const baseOf = (name: string) => summary.evaluators.find((entry) => entry.name === name)?.base
  return {
    ...evaluation,
    scores: {
      ...scores,
      base: summary.base,
      cost: { ...scores.cost, base: summary.cost.base },
      latency: { ...scores.latency, base: summary.latency.base },
      evaluators: scores.evaluators.map((entry) => ({ ...entry, base: baseOf(entry.name) })),
    },
  }
}

/** Whether the evaluation has a baseline, but the list has no changes against it. `others` are of the same group. */
export function needsSummary(evaluation: Evaluation, others: readonly Evaluation[]): boolean {
  const { id, baseline_id, scores } = evaluation
  if (scores === undefined || scores.base !== undefined) return false
  return baseline_id === null ? hasDefaultBaseline(evaluation, others) : baseline_id !== id
}

/** The API compares an evaluation without its own baseline with an older one of its variant. */
function hasDefaultBaseline({ variant_id, created_at }: Evaluation, others: readonly Evaluation[]): boolean {
  return (
    variant_id !== null &&
    others.some(
      (other) =>
        other.variant_id === variant_id &&
        other.status === 'finished' &&
        other.scenario_count > 0 &&
        other.created_at < created_at,
    )
  )
}

interface LargestRegression {
  scenario: string
  evaluator: string
  /** Whether a verdict changed, not a number. */
  isVerdict: boolean
}

/** The worst row of the first evaluator that is worse, or else of the first that has one. */
export function largestRegression(
  evaluation: Evaluation,
  evaluators: readonly GroupMeasure[],
): LargestRegression | undefined {
  const regressed = evaluators.flatMap((measure) => {
    const entry = evaluation.scores?.evaluators.find(({ name }) => name === measure.name)
    return entry?.largest_regression ? [{ measure, entry, scenario: entry.largest_regression }] : []
  })
  const chosen = regressed.find(({ entry }) => entry.base?.outcome === 'worse') ?? regressed[0]
  if (!chosen) return undefined
  const { measure, entry, scenario } = chosen
  return {
    scenario,
    evaluator: entry.name,
    isVerdict: measure.unit === 'percent' && entry.higher_is_better,
  }
}

/** The newest revision, if it is newer than all revisions with an evaluation. */
export function newRevision(group: EvaluationGroup, variant: Variant | undefined): number | undefined {
  const newest = variant?.latest_revision ?? undefined
  const isEvaluated = group.evaluations.some(({ revision }) => (revision ?? 0) >= (newest ?? 0))
  return newest === undefined || isEvaluated ? undefined : newest
}

/** The labels of the axis: revisions, or days without revisions. Not all are displayed if they do not fit. */
export function axisLabels(points: readonly Evaluation[]): string[] {
  const hasRevisions = points.every(({ revision }) => revision !== null)
  const labels = points.map(({ revision, created_at }) =>
    hasRevisions ? `r${revision}` : formatDay(created_at),
  )
  const maxLabels = hasRevisions ? 5 : 2
  return labels.map((label, index) => {
    const isEnd = index === 0 || index === labels.length - 1
    return (labels.length <= maxLabels || isEnd) && label !== labels[index - 1] ? label : ''
  })
}
