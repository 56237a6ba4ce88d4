// /evaluations/{evaluation_id}/evaluation_scenarios: lists, retrieves and adds scenarios. corrections.ts has the other operations.

import { filterQuery, orderQuery, withNamedFilters } from '../../schema/filters/filter-params.ts'
import { idSchema } from '../../schema/ids.ts'
import { formatQuery, pageQuery } from '../../schema/pages.ts'
import { Appended, EvaluationScenario, onConflictParam, ScenarioWrite } from '../../schema/scenarios.ts'
import { commaSeparated, strictObject, Type } from '../../schema/schema-builders.ts'
import { scenarioTable } from '../../serialize/scenarios.ts'
import { findEvaluation, getEvaluation } from '../../store/evaluations/evaluations.ts'
import { getScenarioColumns } from '../../store/scenarios/columns.ts'
import {
  getScenario,
  scenariosWith,
  scenarioVersion,
  textWithExtra,
} from '../../store/scenarios/scenarios.ts'
import type { Connection } from '../../store/store.ts'
import { respondWithText } from '../reads/document.ts'
import { respondWithElements } from '../reads/elements.ts'
import { respondWithFilteredScenarios } from '../reads/filtered-scenarios.ts'
import { hasFiltersOrOrder, parseRowQuery } from '../request/filters.ts'
import { parseList } from '../request/query.ts'
import { recordShape } from '../request/record-parser.ts'
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

const INCLUDE_VALUES = ['extra', 'has_generated_id'] as const

const scenariosQuery = withNamedFilters({
  ...pageQuery,
  ...formatQuery,
  include: Type.Optional(
    commaSeparated(
      INCLUDE_VALUES,
      'Additional members, separated by commas. `extra`: the additional data that was written with the scenario. `has_generated_id`: `true` for scenarios without an id of their client. Not available in CSV.',
    ),
  ),
  ...orderQuery,
  ...filterQuery,
})

const scenarioParams = strictObject({
  ...evaluationParam,
  scenario_id: idSchema('The id of the scenario.'),
})

export function scenarioRoutes(app: App, context: RouteContext): void {
  const { reader, writes, bulk } = context
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
      errors: ['too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const { evaluation_id } = request.params
      const path = `/api/evaluations/${encodeURIComponent(evaluation_id)}/evaluation_scenarios`
      const read = {
        ...context,
        elements: scenariosWith(parseList('include', request.query.include, INCLUDE_VALUES)),
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
      return respondWithText(reply, context, async (snapshot) => {
        const { key } = await getEvaluation(snapshot, request.viewer, evaluation_id)
        const scenario = await getScenario(snapshot, key, scenario_id)
        const text = request.query.include === 'extra' ? textWithExtra(scenario) : scenario.body
        return { version: scenarioVersion(scenario), open: () => async () => text }
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
        'Appends scenarios to the evaluation. All of them are stored or none. If the evaluation does not exist, it is created with its id as its name. A scenario that exists with the same id and content is not changed. `on_conflict` determines what happens if the content differs. You can compress the body with gzip or zstd.',
      tag: 'evaluations',
      params: strictObject(evaluationParam),
      querystring: strictObject({ on_conflict: onConflictParam }),
      body: Type.Array(ScenarioWrite),
      returns: Appended,
    },
    async handler(request, reply) {
      const { viewer, params, query } = request
      const { evaluation_id } = params
      return writes.delegate(reply, {
        acceptsIfMatch: true,
        check: () => findEvaluation(reader, viewer, evaluation_id),
        read: () =>
          bulk.receive(request, 'appendScenarios', {
            viewer,
            evaluation_id,
            shape: recordShape(request),
            onConflict: query.on_conflict,
          }),
      })
    },
  })
}
