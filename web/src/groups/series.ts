// The runs of one group over time: the newest finished evaluation, the values of all of them, and how the newest compares.
import type { Evaluation, EvaluatorScores, Scores } from 'assay-client'
import { evaluatorUnit } from '../results/measures.ts'
import { outcomeOf, type PairedEvaluator } from '../results/verdict-sentence.ts'
import {
  baselineIdOf,
  type EvaluationGroup,
  type GroupMeasure,
  isEvaluatorMeasure,
  measuresOf,
  shortName,
} from './groups.ts'

/** The points that fit in a sparkline. */
const MAX_POINTS = 12

export interface Series {
  /** Undefined if no evaluation has finished. */
  latest: Evaluation | undefined
  /** The newest finished evaluations with common rows, oldest first. */
  points: Evaluation[]
  evaluators: GroupMeasure[]
  /** Latency and cost. */
  measurements: GroupMeasure[]
}

export function seriesOf({ evaluations }: Pick<EvaluationGroup, 'evaluations'>): Series {
  const finished = evaluations.filter(({ status }) => status === 'finished')
  const ended = finished.length > 0 ? finished : evaluations.filter(({ status }) => status === 'failed')
  const ordered = ended.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)).slice(-MAX_POINTS)
  // What came before an evaluation with other rows is unrelated.
  const points = ordered.slice(Math.max(0, ordered.findLastIndex(hasOtherRows)))
  const latest = points.at(-1)
  // Only measures of the latest evaluation: others belong to an earlier set of evaluators.
  const measures = measuresOf(points).filter((measure) => latest && measure.measureIn(latest))
  return {
    latest,
    points,
    evaluators: measures.filter(isEvaluatorMeasure),
    measurements: measures.filter((measure) => !isEvaluatorMeasure(measure)),
  }
}

/** Whether the evaluation and its baseline have no rows in common. */
function hasOtherRows({ scores }: Evaluation): boolean {
  return scores?.base !== undefined && (scores.base.matched === 0 || scores.base.has_different_rows)
}

/** The evaluators with changes against the baseline, in the order of the series. */
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

/** How a group compares with its baseline on the evaluator that changed most. */
export interface Headline {
  /** Worse if one evaluator is worse, else better if one is better. Undefined without a verdict. */
  outcome: 'worse' | 'better' | 'tied' | undefined
  /** Undefined if no evaluator has scores. */
  measure: GroupMeasure | undefined
  evaluator: PairedEvaluator | undefined
  /** The number of other evaluators with the same outcome. */
  otherCount: number
  /** The share of the rows that changed. */
  share: number
}

export function headlineOf(latest: Evaluation | undefined, evaluators: readonly GroupMeasure[]): Headline {
  const paired = latest?.scores?.base?.has_different_rows ? [] : pairedEvaluators(latest?.scores, evaluators)
  for (const outcome of ['worse', 'better', 'tied'] as const) {
    const candidates = paired.filter((evaluator) => outcomeOf(evaluator) === outcome)
    const [evaluator] = candidates.toSorted((a, b) => changedShare(b, outcome) - changedShare(a, outcome))
    if (!evaluator) continue
    const measure = evaluators.find(({ name }) => name === evaluator.name)
    const share = changedShare(evaluator, outcome)
    return { outcome, measure, evaluator, otherCount: candidates.length - 1, share }
  }
  return { outcome: undefined, measure: evaluators[0], evaluator: undefined, otherCount: 0, share: 0 }
}

/** Comparable between evaluators with different units. Of tied evaluators, the first one counts. */
function changedShare({ regressed, improved, n }: PairedEvaluator, outcome: Headline['outcome']): number {
  if (outcome === 'tied' || n === 0) return 0
  return (outcome === 'worse' ? regressed : improved) / n
}

/** The most important measures in their order: worse first, then better. */
export function mostChanged(
  evaluators: readonly GroupMeasure[],
  latest: Evaluation | undefined,
  max: number,
): GroupMeasure[] {
  const importance = ({ name }: GroupMeasure) => {
    const own = latest?.scores?.evaluators.find((entry: EvaluatorScores) => entry.name === name)
    return ['worse', 'better'].indexOf(own?.base?.outcome ?? '') + 1 || 3
  }
  const chosen = new Set(evaluators.toSorted((a, b) => importance(a) - importance(b)).slice(0, max))
  return evaluators.filter((measure) => chosen.has(measure))
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

/** Whether the number of the baseline's revision is a name for it. */
export function hasOtherRevision(
  { variant_id, revision }: Evaluation,
  baseline: Pick<Evaluation, 'variant_id' | 'revision'>,
): boolean {
  return baseline.variant_id === variant_id && baseline.revision !== revision
}
