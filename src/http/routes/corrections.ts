// /evaluations/{evaluation_id}/evaluation_scenarios: replaces, pins, annotates and deletes stored scenarios.

import { Problem } from '../../errors.ts'
import { filterQuery, withNamedFilters } from '../../schema/filters/filter-params.ts'
import { idSchema } from '../../schema/ids.ts'
import {
  checkScenarioPatch,
  DeletedScenarios,
  EvaluationScenario,
  ScenarioPatch,
  ScenarioWrite,
} from '../../schema/scenarios.ts'
import { strictObject } from '../../schema/schema-builders.ts'
import type { Viewer } from '../../store/access/projects.ts'
import { getEvaluation, lockEvaluation } from '../../store/evaluations/evaluations.ts'
import { getDeclaredEvaluators, humanEvaluators } from '../../store/evaluations/evaluators.ts'
import {
  deleteScenario,
  patchScenario,
  putScenario,
  type ScenarioTexts,
} from '../../store/scenarios/corrections.ts'
import { getScenario, scenarioVersion } from '../../store/scenarios/scenarios.ts'
import type { Transaction } from '../../store/store.ts'
import { findMatching, type MatchingScenarios } from '../bulk/delete-scenarios.ts'
import { parseRowQuery, type RowQuery } from '../request/filters.ts'
import { readDocument, readScenario } from '../request/parse-body.ts'
import { endDisconnected, runQuery } from '../response/abort-on-disconnect.ts'
import type { App, RouteContext } from '../route-context.ts'

const evaluationParam = { evaluation_id: idSchema('The id of the evaluation.') }

const scenarioParams = strictObject({
  ...evaluationParam,
  scenario_id: idSchema('The id of the scenario.'),
})

/** The deletion of fewer scenarios is over before the bulk thread has started. */
const MIN_LARGE_DELETION = 1000

export function correctionRoutes(app: App, context: RouteContext): void {
  const { reader, writes, bulk, settings, queryQueue, comparisonCache } = context
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
          const texts = await patchScenario(transaction, { key, id: evaluation_id }, scenario, patch)
          return correctedScenario(scenario.id, texts)
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
          return correctedScenario(scenario.id, texts)
        },
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/evaluations/:evaluation_id/evaluation_scenarios',
    // The count and the remaining scenarios show what the stored content is, so that `write` alone is not enough.
    config: { scope: ['read', 'write'] },
    schema: {
      operationId: 'deleteEvaluationScenarios',
      summary: 'Delete the scenarios that match filters',
      description:
        'Deletes the scenarios of the evaluation that match all filters, which are the filters of the list of scenarios. At least one filter is required. The order of the others does not change. Needs the scopes `read` and `write`. You can restore the scenarios only from a backup.',
      tag: 'evaluations',
      params: strictObject(evaluationParam),
      querystring: withNamedFilters(filterQuery),
      status: 200,
      returns: DeletedScenarios,
      errors: ['too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const rowQuery = parseRowQuery(request.query)
      checkHasFilter(rowQuery)
      const options = { viewer: request.viewer, ...request.params, rowQuery }
      const find = () =>
        runQuery(reply, queryQueue, (connection) => findMatching(connection, options, comparisonCache))
      let found: MatchingScenarios | undefined
      try {
        return await writes.delegate(reply, {
          acceptsIfMatch: true,
          // Before the transaction, because other writes would wait for a slow filter.
          async check() {
            found = await find()
          },
          read: async () => ({
            store: (writeContext) => {
              const isLarge = found !== undefined && found.positions.length >= MIN_LARGE_DELETION
              return bulk.write('deleteScenarios', { ...options, found }, writeContext, isLarge)
            },
          }),
        })
      } catch (error) {
        endDisconnected(reply, error)
        return reply
      }
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

/** The response with the scenario as it is stored now. */
function correctedScenario(id: string, texts: ScenarioTexts) {
  return { status: 200, body: texts.body, receipt: { id }, version: scenarioVersion(texts) }
}

/** An empty `q` matches every scenario: it is more probably a variable without a value than a filter. */
function checkHasFilter({ filters }: RowQuery): void {
  if (filters.some(({ field, value }) => field !== 'q' || value !== '')) return
  const detail =
    'Without a filter, this request would delete all scenarios. Send at least one filter. To delete everything, delete the evaluation.'
  throw new Problem('invalid-request', detail)
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
