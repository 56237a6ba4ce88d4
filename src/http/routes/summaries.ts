// /evaluations/{evaluation_id}/summary: counts and statistics of the scenarios of one evaluation.

import { filterQuery, withNamedFilters } from '../../schema/filters/filter-params.ts'
import { strictObject, Type } from '../../schema/schema-builders.ts'
import type { EvaluationSummary } from '../../schema/summaries.ts'
import { summarizeWithBaseline } from '../../store/compare/baseline-summary.ts'
import { getViewEvaluations, openView } from '../../store/compare/view-with-baseline.ts'
import { summarize } from '../../store/query/summaries.ts'
import type { Connection } from '../../store/store.ts'
import { describeDocument } from '../openapi/operations.ts'
import { respondWithDocument, singlePart } from '../reads/document.ts'
import { parseRowQuery } from '../request/filters.ts'
import type { App, RouteContext } from '../route-context.ts'

const summaryQuery = withNamedFilters({
  ...filterQuery,
  base: Type.Optional(
    Type.String({
      description:
        'The id of the baseline evaluation. Adds the difference of each statistic from the baseline, over the matched rows.',
    }),
  ),
})

const DISTRIBUTION_EXAMPLE = {
  n: 3,
  missing: 0,
  total: 3.6,
  mean: 1.2,
  minimum: 1.2,
  maximum: 1.2,
  quantiles: { p05: 1.2, p25: 1.2, p50: 1.2, p75: 1.2, p95: 1.2 },
  bins: [{ from: 1.2, to: 1.2, count: 3 }],
}

const SUMMARY_EXAMPLE: EvaluationSummary = {
  id: 'support-answer-r5',
  scenario_count: 3,
  matched: 3,
  output_errors: 0,
  pinned: 1,
  noted: 0,
  columns: { inputs: ['question'], expected: ['answer'], evaluators: ['answer_correct'] },
  evaluators: [
    {
      name: 'answer_correct',
      higher_is_better: true,
      threshold: null,
      n: 2,
      texts: 0,
      errors: 1,
      output_errors: 0,
      unscored: 0,
      passed: 2,
      failed: 0,
      pass_rate: 1,
      mean: 1,
      minimum: 1,
      maximum: 1,
      quantiles: { p05: 1, p25: 1, p50: 1, p75: 1, p95: 1 },
      bins: [{ from: 1, to: 1, count: 2 }],
    },
  ],
  cost: DISTRIBUTION_EXAMPLE,
  latency: DISTRIBUTION_EXAMPLE,
  error_groups: [
    { group: 'Timeout after <n> ms', evaluator: 'answer_correct', count: 1, first: 'returns-004' },
  ],
  error_group_count: 1,
}

export function summaryRoutes(app: App, context: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations/:evaluation_id/summary',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: describeDocument({
      operationId: 'getEvaluationSummary',
      summary: 'Retrieve the summary of an evaluation',
      description:
        'Returns statistics of all scenarios, or of those that match the filters. For each evaluator: the number of scored, failed and unscored scenarios, and the mean, pass rate, quantiles and histogram bins of the scores. Also statistics of cost and latency, and groups of similar error messages.',
      tag: 'evaluations',
      params: strictObject({ evaluation_id: Type.String({ description: 'The id of the evaluation.' }) }),
      querystring: summaryQuery,
      element: 'EvaluationSummary',
      example: SUMMARY_EXAMPLE,
      notFound: ['evaluation-not-found'],
    }),
    async handler(request, reply) {
      const id = request.params.evaluation_id
      const rowQuery = parseRowQuery(request.query)
      const prepare = async (snapshot: Connection) => {
        const evaluations = await getViewEvaluations(snapshot, request.viewer, id, rowQuery.base)
        const evaluation = { key: evaluations.evaluation.key, id }
        return {
          version: evaluations.version,
          async open() {
            const { view, baseline } = await openView(
              snapshot,
              evaluations,
              rowQuery,
              context.comparisonCache,
            )
            const readSummary = () =>
              baseline
                ? summarizeWithBaseline(snapshot, baseline, evaluation, view.condition)
                : summarize(snapshot, evaluation, view.condition)
            return singlePart(async () => JSON.stringify(await readSummary()))
          },
        }
      }
      return respondWithDocument(request, reply, context, prepare, true)
    },
  })
}
