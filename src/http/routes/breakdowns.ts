// /evaluations/{evaluation_id}/breakdown: statistics of groups of the scenarios of one evaluation.
import {
  GROUP_KEY_PATTERN,
  GROUP_KEYS,
  GROUP_ORDER_PATTERN,
  GROUP_ORDERS,
  parseGroupKey,
  parseGroupOrder,
} from '../../schema/analysis/breakdown-query.ts'
import { Breakdown, MAX_GROUPS } from '../../schema/analysis/breakdowns.ts'
import { baseQuery, filterQuery, withNamedFilters } from '../../schema/filters/filter-params.ts'
import { idSchema } from '../../schema/ids.ts'
import { strictObject, Type } from '../../schema/schema-builders.ts'
import { openBreakdown } from '../../store/analysis/breakdown.ts'
import { getViewEvaluations } from '../../store/compare/view-with-baseline.ts'
import type { Connection } from '../../store/store.ts'
import { respondWithText } from '../reads/document.ts'
import { parseRowQuery } from '../request/filters.ts'
import type { App, RouteContext } from '../route-context.ts'

const breakdownQuery = withNamedFilters({
  ...filterQuery,
  by: Type.String({
    description: `What the rows are grouped by: ${GROUP_KEYS.join(', ')}. Values of different types are different groups, such as 1 and "1". The group of an error is the same text as in \`error=eq.<group>\`.`,
    pattern: GROUP_KEY_PATTERN,
  }),
  order: Type.Optional(
    Type.String({
      description: `Sort order of the groups: one of ${GROUP_ORDERS.join(', ')}. Use asc instead of desc for ascending order. Default: rows.desc. \`errors\` is the number of failed outputs, \`cost\`, \`latency\` and \`result\` are means. \`delta\` and \`contribution\` need \`base\`. Ties are sorted by the first row. Groups without a value come last.`,
      pattern: GROUP_ORDER_PATTERN,
    }),
  ),
  base: baseQuery('Adds the change of each group relative to the baseline, over the matched rows.'),
})

export function breakdownRoutes(app: App, context: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations/:evaluation_id/breakdown',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: {
      operationId: 'getEvaluationBreakdown',
      summary: 'Break an evaluation down into groups',
      description: `Groups the scenarios, or those that match the filters, by an input, a result or an error. Returns the number of rows and of errors, the mean score and pass rate of each evaluator, cost and latency of each group. The ${MAX_GROUPS} groups with the most rows are listed; the others are combined in \`rest\`. With \`base\`, each group has its change relative to the baseline, and the part of the change of all rows that it causes. The confidence intervals of all groups of an evaluator together have a confidence of 95 %.`,
      tag: 'evaluations',
      params: strictObject({ evaluation_id: idSchema('The id of the evaluation.') }),
      querystring: breakdownQuery,
      returns: Breakdown,
      errors: ['too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const { by, order, ...rowParams } = request.query
      const { filters, base } = parseRowQuery(rowParams)
      const options = {
        by: parseGroupKey(by),
        filters,
        ...(order !== undefined && { order: parseGroupOrder(order) }),
      }
      const prepare = async (snapshot: Connection) => {
        const id = request.params.evaluation_id
        const evaluations = await getViewEvaluations(snapshot, request.viewer, id, base)
        return {
          version: evaluations.version,
          open: () => openBreakdown(snapshot, evaluations, options, context.comparisonCache),
        }
      }
      return respondWithText(reply, context, prepare, true)
    },
  })
}
