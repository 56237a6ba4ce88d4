// /evaluations/{evaluation_id}/evaluation_scenarios: lists, retrieves, adds, pins and annotates scenarios.

import { filterQuery, orderQuery, withNamedFilters } from '../../schema/filters/filter-params.ts'
import { idSchema } from '../../schema/ids.ts'
import { formatQuery, pageQuery } from '../../schema/pages.ts'
import {
  Appended,
  checkScenarioPatch,
  EvaluationScenario,
  ScenarioPatch,
  ScenarioWrite,
} from '../../schema/scenarios.ts'
import { strictObject, Type } from '../../schema/schema-builders.ts'
import { scenarioTable } from '../../serialize/scenarios.ts'
import {
  ensureEvaluation,
  findEvaluation,
  getEvaluation,
  getEvaluationVersion,
  lockEvaluation,
  lockEvaluationIfExists,
} from '../../store/evaluations/evaluations.ts'
import { appendScenarios } from '../../store/scenarios/append.ts'
import { getScenarioColumns } from '../../store/scenarios/columns.ts'
import {
  getScenario,
  patchScenario,
  SCENARIOS,
  SCENARIOS_WITH_EXTRA,
  scenarioVersion,
  textWithExtra,
} from '../../store/scenarios/scenarios.ts'
import type { Connection } from '../../store/store.ts'
import { respondWithDocument, singlePart } from '../reads/document.ts'
import { respondWithElements } from '../reads/elements.ts'
import { respondWithFilteredScenarios } from '../reads/filtered-scenarios.ts'
import { hasFiltersOrOrder, parseRowQuery } from '../request/filters.ts'
import { readDocument, readScenarios } from '../request/parse-body.ts'
import type { App, RouteContext } from '../route-context.ts'

const evaluationParam = { evaluation_id: idSchema('The id of the evaluation.') }

const includeQuery = {
  include: Type.Optional(
    Type.Enum(['extra'], {
      description:
        '`extra`: adds the member `extra`, with the additional data that was written with the scenario.',
    }),
  ),
}

const scenariosQuery = withNamedFilters({
  ...pageQuery,
  ...formatQuery,
  ...includeQuery,
  ...orderQuery,
  ...filterQuery,
})

const scenarioParams = strictObject({
  ...evaluationParam,
  scenario_id: idSchema('The id of the scenario.'),
})

export function scenarioRoutes(app: App, context: RouteContext): void {
  const { reader, writes, settings } = context
  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations/:evaluation_id/evaluation_scenarios',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: {
      operationId: 'listEvaluationScenarios',
      summary: 'List scenarios of an evaluation',
      description:
        'Returns all scenarios in the order in which they were written, from one consistent snapshot. There is no size limit. Values are returned exactly as they were written.',
      tag: 'evaluations',
      params: strictObject(evaluationParam),
      querystring: scenariosQuery,
      returns: Type.Array(EvaluationScenario),
    },
    async handler(request, reply) {
      const { evaluation_id } = request.params
      const path = `/api/evaluations/${encodeURIComponent(evaluation_id)}/evaluation_scenarios`
      const read = {
        ...context,
        elements: request.query.include === 'extra' ? SCENARIOS_WITH_EXTRA : SCENARIOS,
        path,
        owner: (snapshot: Connection) => getEvaluation(snapshot, request.viewer, evaluation_id),
        table: async (snapshot: Connection, key: number) =>
          scenarioTable(await getScenarioColumns(snapshot, key)),
      }
      const rowQuery = parseRowQuery(request.query)
      return hasFiltersOrOrder(rowQuery)
        ? respondWithFilteredScenarios(reply, { ...read, id: evaluation_id }, rowQuery)
        : respondWithElements(reply, read)
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations/:evaluation_id/evaluation_scenarios/:scenario_id',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: {
      operationId: 'getEvaluationScenario',
      summary: 'Retrieve a scenario',
      description: 'Returns one scenario, exactly as in the list of scenarios.',
      tag: 'evaluations',
      params: scenarioParams,
      querystring: strictObject(includeQuery),
      returns: EvaluationScenario,
    },
    async handler(request, reply) {
      const { evaluation_id, scenario_id } = request.params
      return respondWithDocument(reply, context, async (snapshot) => {
        const { key } = await getEvaluation(snapshot, request.viewer, evaluation_id)
        const scenario = await getScenario(snapshot, key, scenario_id)
        const text = request.query.include === 'extra' ? textWithExtra(scenario) : scenario.body
        return { version: scenarioVersion(scenario), open: async () => singlePart(async () => text) }
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/evaluations/:evaluation_id/evaluation_scenarios',
    config: { scope: 'write' },
    schema: {
      operationId: 'appendEvaluationScenarios',
      summary: 'Add scenarios to an evaluation',
      description:
        'Appends scenarios to the evaluation. All of them are stored or none. If the evaluation does not exist, it is created with its id as its name. A scenario that exists with the same id and content is not changed. You can compress the body with gzip or zstd.',
      tag: 'evaluations',
      params: strictObject(evaluationParam),
      body: Type.Array(ScenarioWrite),
      returns: Appended,
    },
    async handler(request, reply) {
      const { evaluation_id } = request.params
      return writes.handle(reply, {
        check: () => findEvaluation(reader, request.viewer, evaluation_id),
        read: () => readScenarios(request, settings, evaluation_id),
        lock: (transaction) => lockEvaluationIfExists(transaction, request.viewer, evaluation_id),
        async store(transaction, rows, evaluation) {
          const key = evaluation?.key ?? (await ensureEvaluation(transaction, request.viewer, evaluation_id))
          const counts = await appendScenarios(transaction, key, rows.batches())
          const version = await getEvaluationVersion(transaction, key)
          return { status: 201, body: JSON.stringify(counts), version }
        },
        cleanUp: (rows) => rows.close(),
      })
    },
  })

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
      const { evaluation_id, scenario_id } = request.params
      return writes.handle(reply, {
        check: () => getEvaluation(reader, request.viewer, evaluation_id),
        read: () => readDocument(request, settings, checkScenarioPatch),
        async lock(transaction) {
          const { key, version } = await lockEvaluation(transaction, request.viewer, evaluation_id)
          const scenario = await getScenario(transaction, key, scenario_id)
          return { key, scenario, version: scenarioVersion(scenario), parentVersion: version }
        },
        async store(transaction, patch, { key, scenario }) {
          const body = await patchScenario(transaction, key, scenario, patch)
          return { status: 200, body, version: scenarioVersion({ ...scenario, body }) }
        },
      })
    },
  })
}
