// /evaluations/{evaluation_id}/agreement: how well two evaluators of one evaluation agree.
import { Agreement } from '../../schema/analysis/agreements.ts'
import { filterQuery, withNamedFilters } from '../../schema/filters/filter-params.ts'
import { idSchema } from '../../schema/ids.ts'
import { strictObject, Type } from '../../schema/schema-builders.ts'
import { openAgreement } from '../../store/analysis/agreements.ts'
import { getViewEvaluations } from '../../store/compare/view-with-baseline.ts'
import { readReviewsVersion } from '../../store/reviews/reviews.ts'
import type { Connection } from '../../store/store.ts'
import { respondWithText } from '../reads/document.ts'
import { parseRowQuery } from '../request/filters.ts'
import type { App, RouteContext } from '../route-context.ts'

const agreementQuery = withNamedFilters({
  evaluator: Type.String({ description: 'The name of the evaluator to check, such as a judge.' }),
  with: Type.String({
    description:
      'The name of the evaluator to compare with, such as the verdicts of people. Precision and recall take it as the truth.',
  }),
  ...filterQuery,
})

export function agreementRoutes(app: App, context: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations/:evaluation_id/agreement',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: {
      operationId: 'getEvaluationAgreement',
      summary: 'Compare two evaluators of an evaluation',
      description:
        "Returns how well two evaluators agree in all scenarios, or in those that match the filters. For verdicts: the number of rows that pass with both, with one or with none of them, the agreement, Cohen's kappa with its 95 % confidence interval, precision and recall. For numbers: the rank correlation and the mean absolute difference. If `evaluator` has numbers and `with` has verdicts, also the threshold with the highest kappa. If at least 30 rows have verdicts of both, also the pass rate of `evaluator` corrected by the verdicts of `with`. A verdict is true, false, or a number of an evaluator that declares a threshold. The filter `disagree` selects the rows with different verdicts.",
      tag: 'evaluations',
      params: strictObject({ evaluation_id: idSchema('The id of the evaluation.') }),
      querystring: agreementQuery,
      returns: Agreement,
      errors: ['too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const { query, viewer } = request
      const rowQuery = parseRowQuery(query)
      const prepare = async (snapshot: Connection) => {
        const { project } = viewer
        const id = request.params.evaluation_id
        const evaluations = await getViewEvaluations(snapshot, viewer, id, rowQuery.base)
        const open = () =>
          openAgreement(snapshot, project, evaluations, query, rowQuery, context.comparisonCache)
        const reviews = await readReviewsVersion(snapshot, project, id)
        return { version: `${evaluations.version}.${reviews}`, open }
      }
      return respondWithText(reply, context, prepare, true)
    },
  })
}
