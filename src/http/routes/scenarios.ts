// GET /evaluations/{evaluation_id}/evaluation_scenarios: every scenario of one evaluation.
import Type from 'typebox'
import { scenarioTable } from '../../rendition/scenarios.ts'
import { formatQuery, pageQuery } from '../../schema/pages.ts'
import { closed } from '../../schema/shapes.ts'
import { getEvaluation } from '../../store/evaluations.ts'
import { getScenarioColumns, SCENARIOS, SCENARIOS_WITH_EXTRA } from '../../store/scenarios.ts'
import { describeRead } from '../describe.ts'
import { answerElements, cursorPosition } from '../elements.ts'
import type { App, RouteContext } from '../route.ts'

const query = closed({
  ...pageQuery,
  ...formatQuery,
  include: Type.Optional(
    Type.Enum(['extra'], {
      type: 'string',
      description: 'extra: what the writer kept beside the contract, as a last member.',
    }),
  ),
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

const SCENARIO_CSV = [
  'id,input.question,output,expected.answer,score.answer_correct,cost,latency,error,is_pinned,note',
  'returns-004,Can I return boots I wore once?,"Yes, within 30 days.",Worn boots can be returned within 30 days.,true,0.00042,1.183,,false,',
  '',
].join('\r\n')

export function scenarioRoutes(app: App, { reader, settings }: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations/:evaluation_id/evaluation_scenarios',
    config: { scope: 'read' },
    schema: describeRead({
      operationId: 'listEvaluationScenarios',
      summary: 'Every scenario of one evaluation',
      description:
        'The whole array in the order the scenarios were written, however long, from one consistent state of the store. Values are exactly what was written.',
      tag: 'evaluations',
      params: closed({ evaluation_id: Type.String({ description: 'The id of the evaluation.' }) }),
      querystring: query,
      element: 'EvaluationScenario',
      example: SCENARIO_EXAMPLE,
      csvExample: SCENARIO_CSV,
      notFound: 'evaluation-not-found',
    }),
    async handler(request, reply) {
      const { evaluation_id } = request.params
      const path = `/api/evaluations/${encodeURIComponent(evaluation_id)}/evaluation_scenarios`
      const after = cursorPosition(path, request.query)
      return reader.snapshot(async (snapshot) => {
        const owner = await getEvaluation(snapshot, request.viewer, evaluation_id)
        return answerElements(request, reply, {
          snapshot,
          elements: request.query.include === 'extra' ? SCENARIOS_WITH_EXTRA : SCENARIOS,
          owner,
          path,
          after,
          publicUrl: settings.public_url,
          table: async () => scenarioTable(await getScenarioColumns(snapshot, owner.key)),
        })
      })
    },
  })
}
