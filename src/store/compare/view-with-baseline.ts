// Opens a view of an evaluation together with its baseline, if the request names one.
import type { Viewer } from '../access/projects.ts'
import type { Connection } from '../dialect/dialect.ts'
import { type EvaluationInfo, getEvaluation } from '../evaluations/evaluations.ts'
import { View, type ViewOptions } from '../query/views.ts'
import { readDeltasByPosition } from './baseline.ts'
import type { ComparisonCache } from './comparison-cache.ts'
import { JoinedColumns } from './joined-columns.ts'
import { readSides } from './sides.ts'

/** The evaluation of a view and its baseline. */
export interface ViewEvaluations {
  evaluation: EvaluationInfo
  baseline: EvaluationInfo | undefined
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
  return { evaluation, baseline, version }
}

export interface ViewWithBaseline {
  view: View
  /** The rows of the baseline, joined with those of the evaluation as its only candidate. */
  baseline: JoinedColumns | undefined
}

/** Throws invalid-request if the options name something that the evaluations do not have. */
export async function openView(
  connection: Connection,
  { evaluation, baseline: baselineInfo }: ViewEvaluations,
  options: ViewOptions,
  cache: ComparisonCache,
): Promise<ViewWithBaseline> {
  if (!baselineInfo)
    return { view: await View.open(connection, evaluation.key, options), baseline: undefined }
  const sides = await readSides(connection, [baselineInfo, evaluation])
  const baseline = await JoinedColumns.open(connection, sides, 'auto', cache)
  const readDeltas = (evaluator: string) => readDeltasByPosition(baseline, evaluator)
  return { view: await View.open(connection, evaluation.key, options, readDeltas), baseline }
}
