// /evaluations/{evaluation_id}/evaluation_scenarios: replaces, pins, annotates and deletes stored scenarios.

import { idSchema } from '../../schema/ids.ts'
import {
  checkScenarioPatch,
  EvaluationScenario,
  ScenarioPatch,
  ScenarioWrite,
} from '../../schema/scenarios.ts'
import { strictObject } from '../../schema/schema-builders.ts'
import type { Viewer } from '../../store/access/projects.ts'
import { getEvaluation, lockEvaluation } from '../../store/evaluations/evaluations.ts'
import { getDeclaredEvaluators, humanEvaluators } from '../../store/evaluations/evaluators.ts'
import { deleteScenario, putScenario } from '../../store/scenarios/corrections.ts'
import { getScenario, patchScenario, scenarioVersion } from '../../store/scenarios/scenarios.ts'
import type { Transaction } from '../../store/store.ts'
import { readDocument, readScenario } from '../request/parse-body.ts'
import type { App, RouteContext } from '../route-context.ts'

const scenarioParams = strictObject({
  evaluation_id: idSchema('The id of the evaluation.'),
  scenario_id: idSchema('The id of the scenario.'),
})

export function correctionRoutes(app: App, context: RouteContext): void {
  const { reader, writes, settings } = context
  app.route({
    method: 'PATCH',
    url: '/evaluations/:evaluation_id/evaluation_scenarios/:scenario_id',
    config: { scope: 'write' },
    schema: {
      operationId: 'markEvaluationScenario',
      summary: 'Pin or annotate a scenario',
      description:
        'Sets the members in the body. `null` removes a value. You cannot change other members of a scenario.',
      tag: 'evaluations',
      params: scenarioParams,
      body: ScenarioPatch,
      returns: EvaluationScenario,
    },
    async handler(request, reply) {
      const { evaluation_id } = request.params
      return writes.handle(reply, {
        check: () => getEvaluation(reader, request.viewer, evaluation_id),
        read: () => readDocument(request, settings, checkScenarioPatch),
        lock: (transaction) => lockScenario(transaction, request.viewer, request.params),
        async store(transaction, patch, { key, scenario }) {
          const body = await patchScenario(transaction, key, scenario, patch)
          const version = scenarioVersion({ ...scenario, body })
          return { status: 200, body, receipt: { id: scenario.id }, version }
        },
      })
    },
  })

  app.route({
    method: 'PUT',
    url: '/evaluations/:evaluation_id/evaluation_scenarios/:scenario_id',
    config: { scope: 'write' },
    schema: {
      operationId: 'replaceEvaluationScenario',
      summary: 'Replace a scenario',
      description:
        'Replaces the content of a scenario, which keeps its id and its place in the list. The pin, the note and the results of evaluators with the kind `human` are kept, unless the body contains them. A body without `extra` removes it.',
      tag: 'evaluations',
      params: scenarioParams,
      body: ScenarioWrite,
      returns: EvaluationScenario,
    },
    async handler(request, reply) {
      const { evaluation_id } = request.params
      return writes.handle(reply, {
        check: () => getEvaluation(reader, request.viewer, evaluation_id),
        read: () => readScenario(request, settings, request.params),
        lock: (transaction) => lockScenario(transaction, request.viewer, request.params),
        async store(transaction, record, { key, scenario }) {
          const evaluators = humanEvaluators(await getDeclaredEvaluators(transaction, key))
          const evaluation = { key, id: evaluation_id }
          const texts = await putScenario(transaction, evaluation, scenario, record, evaluators)
          const version = scenarioVersion(texts)
          return { status: 200, body: texts.body, receipt: { id: scenario.id }, version }
        },
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/evaluations/:evaluation_id/evaluation_scenarios/:scenario_id',
    config: { scope: 'write' },
    schema: {
      operationId: 'deleteEvaluationScenario',
      summary: 'Delete a scenario',
      description:
        'Deletes one scenario of the evaluation. The order of the others does not change. You can restore it only from a backup.',
      tag: 'evaluations',
      params: scenarioParams,
    },
    async handler(request, reply) {
      return writes.handle(reply, {
        read: async () => undefined,
        lock: (transaction) => lockScenario(transaction, request.viewer, request.params),
        async store(transaction, _content, { key, scenario }) {
          await deleteScenario(transaction, key, scenario)
          return { status: 204 }
        },
      })
    },
  })
}

/** Locks the evaluation of a scenario. Throws if one of them does not exist. */
export async function lockScenario(
  transaction: Transaction,
  viewer: Viewer,
  { evaluation_id, scenario_id }: { evaluation_id: string; scenario_id: string },
) {
  const { key, version } = await lockEvaluation(transaction, viewer, evaluation_id)
  const scenario = await getScenario(transaction, key, scenario_id)
  return {
    key,
    scenario: { ...scenario, id: scenario_id },
    version: scenarioVersion(scenario),
    parentVersion: version,
  }
}
