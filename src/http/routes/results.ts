// Results of evaluators in existing scenarios: adds, replaces and deletes them.

import { idSchema } from '../../schema/ids.ts'
import { AddedResults, NewResult } from '../../schema/scenarios.ts'
import { strictObject, Type } from '../../schema/schema-builders.ts'
import { getEvaluation, lockEvaluation } from '../../store/evaluations/evaluations.ts'
import { deleteResults, deleteScenarioResults } from '../../store/scenarios/delete-results.ts'
import { recordShape } from '../request/record-parser.ts'
import type { App, RouteContext } from '../route-context.ts'
import { lockScenario } from './corrections.ts'

const params = strictObject({ evaluation_id: idSchema('The id of the evaluation.') })

export function resultRoutes(app: App, context: RouteContext): void {
  const { reader, writes, bulk } = context
  app.route({
    method: 'POST',
    url: '/evaluations/:evaluation_id/results',
    config: { scope: 'write' },
    schema: {
      operationId: 'addResults',
      summary: 'Add results to scenarios',
      description:
        'Adds results of evaluators to existing scenarios. A result of an evaluator that the scenario has already is replaced, with its reason. All results are stored or none. Of several results for the same scenario and evaluator, the last one is stored. Results of people that a review collects are computed from its answers; see reviews. You can compress the body with gzip or zstd.',
      tag: 'evaluations',
      params,
      body: Type.Array(NewResult),
      status: 200,
      returns: AddedResults,
    },
    async handler(request, reply) {
      const { viewer, params } = request
      const { evaluation_id } = params
      return writes.delegate(reply, {
        acceptsIfMatch: true,
        check: () => getEvaluation(reader, viewer, evaluation_id),
        read: () =>
          bulk.receive(request, 'addResults', { viewer, evaluation_id, shape: recordShape(request) }),
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/evaluations/:evaluation_id/results',
    config: { scope: 'write' },
    schema: {
      operationId: 'deleteResults',
      summary: 'Delete the results of an evaluator',
      description:
        'Deletes the results of one evaluator in all scenarios of the evaluation, with their reasons. You can restore them only from a backup.',
      tag: 'evaluations',
      params,
      querystring: strictObject({
        evaluator: Type.String({ description: 'The name of the evaluator, as in `evaluator_config`.' }),
      }),
      errors: ['evaluator-not-found'],
    },
    async handler(request, reply) {
      const { viewer, params, query } = request
      return writes.handle(reply, {
        read: async () => undefined,
        lock: (transaction) => lockEvaluation(transaction, viewer, params.evaluation_id),
        async store(transaction, _content, { key }) {
          await deleteResults(transaction, key, query.evaluator)
          return { status: 204 }
        },
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/evaluations/:evaluation_id/evaluation_scenarios/:scenario_id/results/:evaluator',
    config: { scope: 'write' },
    schema: {
      operationId: 'deleteScenarioResult',
      summary: 'Delete a result of a scenario',
      description:
        'Deletes the result of one evaluator in one scenario, with its reason. If the scenario has several results of the evaluator, all of them are deleted. Percent-encode the name. You can restore the result only from a backup.',
      tag: 'evaluations',
      params: strictObject({
        evaluation_id: idSchema('The id of the evaluation.'),
        scenario_id: idSchema('The id of the scenario.'),
        evaluator: Type.String({ description: 'The name of the evaluator, as in `evaluator_config`.' }),
      }),
    },
    async handler(request, reply) {
      const { viewer, params } = request
      return writes.handle(reply, {
        read: async () => undefined,
        lock: (transaction) => lockScenario(transaction, viewer, params),
        async store(transaction, _content, { key, scenario }) {
          const evaluation = { key, id: params.evaluation_id }
          await deleteScenarioResults(transaction, evaluation, scenario, params.evaluator)
          return { status: 204 }
        },
      })
    },
  })
}
