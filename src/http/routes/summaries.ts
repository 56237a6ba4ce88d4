// /evaluations/{evaluation_id}/summary: counts and statistics of the scenarios of one evaluation.

import { baseQuery, filterQuery, withNamedFilters } from '../../schema/filters/filter-params.ts'
import { idSchema } from '../../schema/ids.ts'
import { strictObject } from '../../schema/schema-builders.ts'
import { EvaluationSummary } from '../../schema/summaries.ts'
import type { Viewer } from '../../store/access/projects.ts'
import { summarizeWithBaseline } from '../../store/compare/baseline-summary.ts'
import { summarizeRows } from '../../store/compare/rows/row-summary.ts'
import {
  getViewEvaluations,
  openSide,
  openView,
  type ViewEvaluations,
} from '../../store/compare/view-with-baseline.ts'
import type { Connection } from '../../store/store.ts'
import { countChangedParameters } from '../../store/variants/changed-parameters.ts'
import { respondWithText } from '../reads/document.ts'
import { parseRowQuery } from '../request/filters.ts'
import type { App, RouteContext } from '../route-context.ts'

const summaryQuery = withNamedFilters({
  ...filterQuery,
  base: baseQuery('Adds the difference of each statistic from the baseline, over the matched rows.'),
})

export function summaryRoutes(app: App, context: RouteContext): void {
  const countParameters = async (snapshot: Connection, viewer: Viewer, evaluations: ViewEvaluations) => {
    const { evaluation, baseline } = evaluations
    if (!baseline) return null
    return countChangedParameters(snapshot, viewer, { baseline, evaluation }, context.textCache)
  }
  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations/:evaluation_id/summary',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: {
      operationId: 'getEvaluationSummary',
      summary: 'Retrieve the summary of an evaluation',
      description:
        'Returns statistics of all scenarios, or of those that match the filters. For each evaluator: the number of scored, failed and unscored scenarios, and the mean, pass rate, quantiles and histogram bins of the scores. Also statistics of cost and latency, and groups of similar error messages.',
      tag: 'evaluations',
      params: strictObject({ evaluation_id: idSchema('The id of the evaluation.') }),
      querystring: summaryQuery,
      returns: EvaluationSummary,
      errors: ['too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const id = request.params.evaluation_id
      const rowQuery = parseRowQuery(request.query)
      const prepare = async (snapshot: Connection) => {
        const evaluations = await getViewEvaluations(snapshot, request.viewer, id, rowQuery.base)
        const changedParameters = await countParameters(snapshot, request.viewer, evaluations)
        return {
          // The variant can be deleted and created again, while the evaluations keep their versions.
          version: evaluations.baseline ? `${evaluations.version}.${changedParameters}` : evaluations.version,
          async open() {
            const { comparisonCache: cache } = context
            const { view, baseline, chosen } = await openView(snapshot, evaluations, rowQuery, cache)
            const readSummary = async () => {
              if (baseline) return summarizeWithBaseline(baseline, chosen, changedParameters, view.condition)
              const { columns, side } = await openSide(snapshot, evaluations.evaluation, baseline, cache)
              return summarizeRows(columns, side, view.condition)
            }
            return async () => JSON.stringify(await readSummary())
          },
        }
      }
      return respondWithText(reply, context, prepare, true)
    },
  })
}
