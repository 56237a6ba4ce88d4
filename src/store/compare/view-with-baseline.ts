// Opens a view of an evaluation together with its baseline, if the request names one.
import type { Filter, Order } from '../../schema/filters/row-filters.ts'
import type { Viewer } from '../access/projects.ts'
import type { Connection } from '../dialect/dialect.ts'
import { type EvaluationInfo, getEvaluation } from '../evaluations/evaluations.ts'
import { View } from '../query/views.ts'
import { Baseline } from './baseline.ts'
import type { ComparisonCache } from './comparison-cache.ts'

/** The evaluation of a view and its baseline. */
export interface ViewEvaluations {
  evaluation: EvaluationInfo
  baseline: (EvaluationInfo & { id: string }) | undefined
  /** Changes whenever the rows of either evaluation change. */
  version: string
}

/** Throws like getEvaluation. */
export async function getViewEvaluations(
  connection: Connection,
  viewer: Viewer,
  id: string,
  baselineId: string | undefined,
): Promise<ViewEvaluations> {
  const evaluation = await getEvaluation(connection, viewer, id)
  if (baselineId === undefined) return { evaluation, baseline: undefined, version: evaluation.version }
  const baseline = await getEvaluation(connection, viewer, baselineId)
  const version = `${evaluation.version}.${baseline.version}`
  return { evaluation, baseline: { ...baseline, id: baselineId }, version }
}

export interface ViewWithBaseline {
  view: View
  baseline: Baseline | undefined
}

/** Throws invalid-request if the options name something that the evaluations do not have. */
export async function openView(
  connection: Connection,
  { evaluation, baseline: baselineInfo }: ViewEvaluations,
  options: { filters: Filter[]; order: Order },
  cache: ComparisonCache,
): Promise<ViewWithBaseline> {
  let baseline: Baseline | undefined
  if (baselineInfo) {
    const pairing = await cache.pairing(connection, baselineInfo, evaluation)
    baseline = await Baseline.open(connection, baselineInfo, evaluation, pairing)
  }
  const deltas = baseline && ((evaluator: string) => baseline.selectDeltas(evaluator))
  return { view: await View.open(connection, evaluation.key, options, deltas), baseline }
}
