// Finds the rows of an evaluation of a store that match filters.
import { BY_POSITION } from '../../schema/filters/orders.ts'
import { ComparisonCache } from '../../store/compare/comparison-cache.ts'
import { openView } from '../../store/compare/view-with-baseline.ts'
import type { EvaluationInfo } from '../../store/evaluations/evaluations.ts'
import type { Connection } from '../../store/store.ts'
import { getFromProject } from './project-lookup.ts'
import { rejectWrongUsage } from './store-analysis.ts'
import type { RowSelection } from './target.ts'

/** Their positions, in order. Throws UsageError if a filter names what the evaluation does not have. */
export async function findRows(
  snapshot: Connection,
  project: string,
  evaluation: EvaluationInfo,
  { filters, base }: RowSelection,
): Promise<Float64Array> {
  const baseline =
    base === undefined ? undefined : await getFromProject(snapshot, project, 'evaluation', base)
  return rejectWrongUsage(async () => {
    const evaluations = { evaluation, baseline, chosen: null, version: '' }
    const options = { filters, order: BY_POSITION }
    const { view } = await openView(snapshot, evaluations, options, new ComparisonCache())
    return view.positions()
  })
}
