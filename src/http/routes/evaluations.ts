// GET /evaluations: the evaluations of the key's project, newest first.
import { pageQuery } from '../../schema/pages.ts'
import { closed } from '../../schema/shapes.ts'
import { EVALUATIONS } from '../../store/evaluations.ts'
import { describeList } from '../describe.ts'
import { answerList } from '../lists.ts'
import type { App, RouteContext } from '../route.ts'

const EVALUATION_EXAMPLE = {
  id: 'support-answer-r5',
  name: 'Support answers, shorter prompt',
  variant_id: 'support-answer',
  revision: 5,
  baseline_id: 'support-answer-r4',
  source: 'sample',
  created_at: '2026-10-06T14:02:11.408Z',
  scenario_count: 120,
  evaluators: [{ name: 'answer_correct', higher_is_better: true }],
  metadata: { dataset: 'support-tickets' },
}

export function evaluationRoutes(app: App, { reader, settings }: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations',
    config: { scope: 'read' },
    schema: describeList({
      operationId: 'listEvaluations',
      summary: 'The evaluations of the project',
      description: 'Every evaluation of the project that the key belongs to, newest first.',
      tag: 'evaluations',
      querystring: closed(pageQuery),
      element: 'Evaluation',
      example: EVALUATION_EXAMPLE,
    }),
    async handler(request, reply) {
      const path = '/api/evaluations'
      return answerList(request, reply, { reader, list: EVALUATIONS, path, publicUrl: settings.public_url })
    },
  })
}
