// What a card shows: the newest finished evaluation, and the points of its sparklines.
import type { Evaluation, EvaluationSummary, Scores, Variant } from 'assay-client'
import { formatDay } from '../../../format/times.ts'
import { evaluatorUnit } from '../../../results/measures.ts'
import type { PairedEvaluator } from '../../../results/verdict-sentence.ts'
import {
  baselineIdOf,
  type EvaluationGroup,
  type GroupMeasure,
  isEvaluatorMeasure,
  measuresOf,
  shortName,
} from '../groups.ts'

/** The points that fit in a sparkline. */
const MAX_POINTS = 12
/** The evaluators that fit in a card. */
const MAX_EVALUATORS = 6

export interface CardData {
  /** Undefined if no evaluation has finished. */
  latest: Evaluation | undefined
  /** The newest finished evaluations, oldest first. */
  points: Evaluation[]
  evaluators: GroupMeasure[]
  /** The number of other evaluators of the latest evaluation. */
  hiddenCount: number
  measurements: GroupMeasure[]
}

export function cardDataOf({ evaluations }: Pick<EvaluationGroup, 'evaluations'>): CardData {
  const finished = evaluations.filter(({ status }) => status === 'finished')
  const ended = finished.length > 0 ? finished : evaluations.filter(({ status }) => status === 'failed')
  const points = ended.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)).slice(-MAX_POINTS)
  const latest = points.at(-1)
  // Only measures of the latest evaluation: others belong to an earlier set of evaluators.
  const measures = measuresOf(points).filter((measure) => latest && measure.measureIn(latest))
  const evaluators = measures.filter(isEvaluatorMeasure)
  return {
    latest,
    points,
    evaluators: evaluators.slice(0, MAX_EVALUATORS),
    hiddenCount: Math.max(0, evaluators.length - MAX_EVALUATORS),
    measurements: measures.filter((measure) => !isEvaluatorMeasure(measure)),
  }
}

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

/** The evaluators with changes against the baseline, in the order of the card. */
export function pairedEvaluators(
  scores: Scores | undefined,
  order: readonly GroupMeasure[],
): PairedEvaluator[] {
  const paired = (scores?.evaluators ?? []).flatMap(({ base, ...entry }): PairedEvaluator | [] => {
    if (!base) return []
    const { mean, ...statistics } = base
    const isVerdict = evaluatorUnit([entry]) === 'percent'
    return { ...statistics, baselineMean: mean, name: entry.name, isVerdict }
  })
  const position = (name: string) => order.findIndex((measure) => measure.name === name)
  return paired.filter(({ name }) => position(name) >= 0).sort((a, b) => position(a.name) - position(b.name))
}

/** The name of the baseline: "r4", or its own name if it is of another variant or of the same revision. */
export function baselineName(evaluation: Evaluation, others: readonly Evaluation[]): string | undefined {
  const id = baselineIdOf(evaluation)
  const baseline = baselineOf(evaluation, others)
  if (!baseline || id === undefined) return id
  return hasOtherRevision(evaluation, baseline) ? shortName(baseline) : (baseline.name ?? baseline.id)
}

/** "r6", or its own name if the baseline has the same revision. */
export function candidateName(evaluation: Evaluation, others: readonly Evaluation[]): string {
  const baseline = baselineOf(evaluation, others)
  const isDistinct = !baseline || baseline.revision !== evaluation.revision
  return isDistinct ? shortName(evaluation) : (evaluation.name ?? evaluation.id)
}

function baselineOf(evaluation: Evaluation, others: readonly Evaluation[]) {
  const baselineId = baselineIdOf(evaluation)
  return evaluation.scores?.base ?? others.find(({ id }) => id === baselineId)
}

function hasOtherRevision(
  { variant_id, revision }: Evaluation,
  baseline: Pick<Evaluation, 'variant_id' | 'revision'>,
): boolean {
  return baseline.variant_id === variant_id && baseline.revision !== revision
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
