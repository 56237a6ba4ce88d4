// /evaluations/{evaluation_id}/summary: counts and figures over all scenarios of one evaluation.

import { filterQuery, withNamedFilters } from '../../schema/filter-queries.ts'
import { closed } from '../../schema/shapes.ts'
import type { EvaluationSummary } from '../../schema/summaries.ts'
import { Type } from '../../schema/type.ts'
import { summariseAgainst } from '../../store/base-summaries.ts'
import { getViewHeads, openView } from '../../store/opened-views.ts'
import type { Connection } from '../../store/store.ts'
import { summarise } from '../../store/summaries.ts'
import { describeDocument } from '../describe.ts'
import { answerDocument, whole } from '../document.ts'
import { readView } from '../filters.ts'
import type { App, RouteContext } from '../route.ts'

const query = withNamedFilters({
  ...filterQuery,
  base: Type.Optional(
    Type.String({
      description:
        'The id of another evaluation: adds how far each figure is from it, over the rows that both have.',
    }),
  ),
})

const SPREAD_EXAMPLE = {
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
  cost: SPREAD_EXAMPLE,
  latency: SPREAD_EXAMPLE,
  error_groups: [
    { group: 'Timeout after <n> ms', evaluator: 'answer_correct', count: 1, first: 'returns-004' },
  ],
  error_group_count: 1,
}

export function summaryRoutes(app: App, context: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations/:evaluation_id/summary',
    config: { scope: 'read', isConfinable: true },
    schema: describeDocument({
      operationId: 'getEvaluationSummary',
      summary: 'Counts and figures of one evaluation',
      description:
        'Of all scenarios, or of those that the filters leave: per evaluator how many are scored, failed or without a score, and mean, pass rate, quantiles and bins of the scores; cost and latency the same; errors by groups of alike messages.',
      tag: 'evaluations',
      params: closed({ evaluation_id: Type.String({ description: 'The id of the evaluation.' }) }),
      querystring: query,
      element: 'EvaluationSummary',
      example: SUMMARY_EXAMPLE,
      notFound: ['evaluation-not-found'],
    }),
    async handler(request, reply) {
      const id = request.params.evaluation_id
      const question = readView(request.query)
      const look = async (snapshot: Connection) => {
        const heads = await getViewHeads(snapshot, request.viewer, id, question.base)
        const evaluation = { key: heads.owner.key, id }
        return {
          version: heads.version,
          async open() {
            const { view, base } = await openView(snapshot, heads, question, context.pairings)
            const summary = () =>
              base
                ? summariseAgainst(snapshot, base, evaluation, view.condition)
                : summarise(snapshot, evaluation, view.condition)
            return whole(async () => JSON.stringify(await summary()))
          },
        }
      }
      return answerDocument(request, reply, context, look, true)
    },
  })
}
