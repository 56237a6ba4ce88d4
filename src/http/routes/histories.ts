// /evaluations/{evaluation_id}/evaluation_scenarios/{scenario_id}/history: the same row in other evaluations of the variant.
import {
  MAX_EQUAL_INPUTS,
  MAX_HISTORY_EVALUATIONS,
  ScenarioHistory,
} from '../../schema/analysis/histories.ts'
import { idSchema } from '../../schema/ids.ts'
import { strictObject } from '../../schema/schema-builders.ts'
import { findHistory } from '../../store/analysis/histories.ts'
import { respondWithParts } from '../reads/document.ts'
import type { App, RouteContext } from '../route-context.ts'

export function historyRoutes(app: App, context: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations/:evaluation_id/evaluation_scenarios/:scenario_id/history',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: {
      operationId: 'getScenarioHistory',
      summary: 'Retrieve the history of a scenario',
      description: `Returns the same row in the newest ${MAX_HISTORY_EVALUATIONS} evaluations of the variant, with its results, cost and latency, and whether its outputs changed. Rows are the same if clients gave them the same id. If one of the two ids was generated, rows are the same if their inputs are equal; the nth row with the same inputs matches the nth, up to the ${MAX_EQUAL_INPUTS.toLocaleString('en-US')}th.`,
      tag: 'evaluations',
      params: strictObject({
        evaluation_id: idSchema('The id of the evaluation.'),
        scenario_id: idSchema('The id of the scenario.'),
      }),
      returns: ScenarioHistory,
    },
    async handler(request, reply) {
      const { evaluation_id, scenario_id } = request.params
      return respondWithParts(reply, context, (snapshot) =>
        findHistory(snapshot, request.viewer, evaluation_id, scenario_id),
      )
    },
  })
}
