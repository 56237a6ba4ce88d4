// /evaluations/{evaluation_id}/evaluation_scenarios: every scenario of one evaluation; sent, pinned and noted.

import { scenarioTable } from '../../rendition/scenarios.ts'
import { filterQuery, orderQuery, withNamedFilters } from '../../schema/filter-queries.ts'
import { formatQuery, pageQuery } from '../../schema/pages.ts'
import { checkScenarioPatch } from '../../schema/scenarios.ts'
import { closed } from '../../schema/shapes.ts'
import { Type } from '../../schema/type.ts'
import { ensureEvaluation, findEvaluation, getEvaluation, takeEvaluation } from '../../store/evaluations.ts'
import { appendScenarios } from '../../store/scenario-append.ts'
import {
  FIND_SCENARIO,
  FIND_WITH_EXTRA,
  getScenario,
  getScenarioColumns,
  markScenario,
  SCENARIOS,
  SCENARIOS_WITH_EXTRA,
} from '../../store/scenarios.ts'
import type { Connection } from '../../store/store.ts'
import { describeDocument, describeRead, describeWrite } from '../describe.ts'
import { answerDocument, whole } from '../document.ts'
import { answerElements } from '../elements.ts'
import { isNarrowed, readView } from '../filters.ts'
import type { App, RouteContext } from '../route.ts'
import { readDocument, readScenarios } from '../uploads.ts'
import { answerView } from '../views.ts'

const evaluationParam = { evaluation_id: Type.String({ description: 'The id of the evaluation.' }) }

const includeQuery = {
  include: Type.Optional(
    Type.Enum(['extra'], {
      type: 'string',
      description: 'extra: what the writer kept beside the contract, as a last member.',
    }),
  ),
}

const query = withNamedFilters({
  ...pageQuery,
  ...formatQuery,
  ...includeQuery,
  ...orderQuery,
  ...filterQuery,
})

const scenarioParams = closed({
  ...evaluationParam,
  scenario_id: Type.String({ description: 'The id of the scenario.' }),
})

const SCENARIO_EXAMPLE = {
  id: 'returns-004',
  evaluation_id: 'support-answer-r5',
  inputs: [{ name: 'question', type: 'text', value: 'Can I return boots I wore once?' }],
  outputs: [{ result: { type: 'text', value: 'Yes, within 30 days.' }, cost: 0.00042, latency: 1.183 }],
  correct_answers: [{ key: 'answer', value: 'Worn boots can be returned within 30 days.' }],
  is_pinned: false,
  note: null,
  results: [{ evaluator_config: 'answer_correct', result: { type: 'bool', value: true } }],
}

const WRITE_EXAMPLE = {
  id: 'returns-004',
  inputs: SCENARIO_EXAMPLE.inputs,
  outputs: SCENARIO_EXAMPLE.outputs,
  correct_answers: SCENARIO_EXAMPLE.correct_answers,
  results: SCENARIO_EXAMPLE.results,
}

const SCENARIO_CSV = [
  'id,input.question,output,expected.answer,score.answer_correct,cost,latency,error,is_pinned,note',
  'returns-004,Can I return boots I wore once?,"Yes, within 30 days.",Worn boots can be returned within 30 days.,true,0.00042,1.183,,false,',
  '',
].join('\r\n')

export function scenarioRoutes(app: App, context: RouteContext): void {
  const { reader, writes, settings } = context
  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations/:evaluation_id/evaluation_scenarios',
    config: { scope: 'read', isConfinable: true },
    schema: describeRead({
      operationId: 'listEvaluationScenarios',
      summary: 'Every scenario of one evaluation',
      description:
        'The whole array in the order the scenarios were written, however long, from one consistent state of the store. Values are exactly what was written.',
      tag: 'evaluations',
      params: closed(evaluationParam),
      querystring: query,
      element: 'EvaluationScenario',
      example: SCENARIO_EXAMPLE,
      csvExample: SCENARIO_CSV,
      notFound: 'evaluation-not-found',
    }),
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
      const question = readView(request.query)
      return isNarrowed(question)
        ? answerView(request, reply, { ...read, id: evaluation_id }, question)
        : answerElements(request, reply, read)
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations/:evaluation_id/evaluation_scenarios/:scenario_id',
    config: { scope: 'read', isConfinable: true },
    schema: describeDocument({
      operationId: 'getEvaluationScenario',
      summary: 'One scenario',
      description: 'Whole, exactly as in the list.',
      tag: 'evaluations',
      params: scenarioParams,
      querystring: closed(includeQuery),
      element: 'EvaluationScenario',
      example: SCENARIO_EXAMPLE,
      notFound: ['evaluation-not-found', 'scenario-not-found'],
    }),
    async handler(request, reply) {
      const { evaluation_id, scenario_id } = request.params
      const statement = request.query.include === 'extra' ? FIND_WITH_EXTRA : FIND_SCENARIO
      return answerDocument(request, reply, context, async (snapshot) => {
        const { key, version } = await getEvaluation(snapshot, request.viewer, evaluation_id)
        const { body } = await getScenario(snapshot, key, scenario_id, statement)
        return { version, open: async () => whole(async () => body) }
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/evaluations/:evaluation_id/evaluation_scenarios',
    config: { scope: 'write' },
    schema: describeWrite({
      operationId: 'appendEvaluationScenarios',
      summary: 'Send scenarios to an evaluation',
      description:
        'All of them or none, behind those that are there. An evaluation that is not there is made and named after its id. A scenario whose id is there with the same content is left as it is. The body may be compressed with gzip or zstd.',
      tag: 'evaluations',
      params: closed(evaluationParam),
      body: { schema: 'ScenarioWrite', example: WRITE_EXAMPLE, isList: true },
      answer: { status: 201, schema: 'Appended', example: { accepted: 1, unchanged: 0 } },
      errors: ['conflict', 'evaluation-not-found'],
    }),
    async handler(request, reply) {
      const { evaluation_id } = request.params
      return writes.answer(request, reply, {
        check: () => findEvaluation(reader, request.viewer, evaluation_id),
        read: (seen) => readScenarios(request, settings, evaluation_id, seen),
        async store(transaction, rows) {
          const key = await ensureEvaluation(transaction, request.viewer, evaluation_id)
          const appended = await appendScenarios(transaction, key, rows.batches())
          return { status: 201, body: JSON.stringify(appended) }
        },
        done: (rows) => rows.close(),
      })
    },
  })

  app.route({
    method: 'PATCH',
    url: '/evaluations/:evaluation_id/evaluation_scenarios/:scenario_id',
    config: { scope: 'write' },
    schema: describeWrite({
      operationId: 'markEvaluationScenario',
      summary: 'Pin a scenario, or note something about it',
      description: 'Sets the members that are given; null clears one. Everything else of a scenario stays.',
      tag: 'evaluations',
      params: scenarioParams,
      body: {
        schema: 'ScenarioPatch',
        example: { is_pinned: true, note: 'Look again: the policy changed.' },
      },
      answer: { status: 200, schema: 'EvaluationScenario', example: SCENARIO_EXAMPLE },
      errors: ['evaluation-not-found', 'scenario-not-found'],
    }),
    async handler(request, reply) {
      const { evaluation_id, scenario_id } = request.params
      return writes.answer(request, reply, {
        check: () => getEvaluation(reader, request.viewer, evaluation_id),
        read: (seen) => readDocument(request, settings, checkScenarioPatch, seen),
        async store(transaction, patch) {
          const { key } = await takeEvaluation(transaction, request.viewer, evaluation_id)
          return { status: 200, body: await markScenario(transaction, key, scenario_id, patch) }
        },
      })
    },
  })
}
