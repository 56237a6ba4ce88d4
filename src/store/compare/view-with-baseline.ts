// Opens a view of an evaluation together with its baseline, if the request names one.
import { Problem } from '../../errors.ts'
import { toStorableText } from '../../json/storable-text.ts'
import type { BaselineReason } from '../../schema/rules.ts'
import type { Viewer } from '../access/projects.ts'
import type { Connection } from '../dialect/dialect.ts'
import { type EvaluationInfo, getEvaluation } from '../evaluations/evaluations.ts'
import { type RowReaders, View, type ViewOptions } from '../query/views.ts'
import { readDeltasByPosition } from './baseline.ts'
import type { ComparisonCache } from './comparison-cache.ts'
import { findDefaultBaseline } from './default-baseline.ts'
import { JoinedColumns } from './joined-columns.ts'
import { SideColumns } from './side-columns.ts'
import { readSides, type Side } from './sides.ts'

/** The evaluation of a view and its baseline. */
export interface ViewEvaluations {
  evaluation: EvaluationInfo
  baseline: EvaluationInfo | undefined
  /** Why this baseline was chosen. Null if the request names it. */
  chosen: BaselineReason | null
  /** Changes whenever the rows of either evaluation change, or the choice of the baseline. */
  version: string
}

/** An empty id of the baseline selects the default one. Throws like getEvaluation. */
export async function getViewEvaluations(
  connection: Connection,
  viewer: Viewer,
  id: string,
  baselineId: string | undefined,
): Promise<ViewEvaluations> {
  const evaluation = await getEvaluation(connection, viewer, id)
  const withoutBaseline = { evaluation, baseline: undefined, chosen: null, version: evaluation.version }
  if (baselineId === undefined) return withoutBaseline
  const found = baselineId === '' ? await findDefaultBaseline(connection, viewer, evaluation.key) : undefined
  if (baselineId === '' && !found) return withoutBaseline
  const chosen = found?.chosen ?? null
  const baseline = await getEvaluation(connection, viewer, found?.base_id ?? baselineId)
  return {
    evaluation,
    baseline,
    chosen,
    version: `${evaluation.version}.${baseline.version}.${chosen ?? ''}`,
  }
}

export interface ViewWithBaseline {
  view: View
  /** The rows of the baseline, joined with those of the evaluation as its only candidate. */
  baseline: JoinedColumns | undefined
  chosen: BaselineReason | null
}

/** Throws invalid-request if the options name something that the evaluations do not have. */
export async function openView(
  connection: Connection,
  { evaluation, baseline: baselineInfo, chosen }: ViewEvaluations,
  options: ViewOptions,
  cache: ComparisonCache,
): Promise<ViewWithBaseline> {
  const baseline = baselineInfo && (await openBaseline(connection, baselineInfo, evaluation, cache))
  const readers: RowReaders = {
    readDeltas: (evaluator) => (baseline ? readDeltasByPosition(baseline, evaluator) : throwNoBaseline()),
    async readFlaky(evaluator) {
      const { columns, side } = await openSide(connection, evaluation, baseline, cache)
      return columns.flakyScenarios(side, toStorableText(evaluator))
    },
  }
  return { view: await View.open(connection, evaluation.key, options, readers), baseline, chosen }
}

/** The columns of the evaluation of a view. */
export async function openSide(
  connection: Connection,
  evaluation: EvaluationInfo,
  baseline: JoinedColumns | undefined,
  cache: ComparisonCache,
): Promise<{ columns: SideColumns; side: Side }> {
  if (baseline) return { columns: baseline, side: baseline.first }
  const [side] = await readSides(connection, [evaluation])
  return { columns: new SideColumns(connection, cache), side }
}

async function openBaseline(
  connection: Connection,
  baseline: EvaluationInfo,
  evaluation: EvaluationInfo,
  cache: ComparisonCache,
): Promise<JoinedColumns> {
  return JoinedColumns.open(connection, await readSides(connection, [baseline, evaluation]), 'auto', cache)
}

function throwNoBaseline(): never {
  throw new Problem(
    'invalid-request',
    'A delta needs a baseline, and this evaluation has none. Name one with `base`.',
  )
}
