// /evaluations: the evaluations of the key's project, newest first, and each of them; made, changed and deleted.

import { checkEvaluation, checkEvaluationPatch } from '../../schema/evaluations.ts'
import { EVALUATION_FILTERS } from '../../schema/list-filters.ts'
import { listFilterQuery } from '../../schema/list-queries.ts'
import { pageQuery } from '../../schema/pages.ts'
import { closed } from '../../schema/shapes.ts'
import { Type } from '../../schema/type.ts'
import {
  addEvaluation,
  changeEvaluation,
  deleteEvaluation,
  EVALUATIONS,
  getEvaluation,
  getEvaluationText,
  takeEvaluation,
} from '../../store/evaluations.ts'
import { scoresMember } from '../../store/scores.ts'
import { describeDocument, describeList, describeWrite } from '../describe.ts'
import { answerDocument, whole } from '../document.ts'
import { answerList } from '../lists.ts'
import type { App, RouteContext } from '../route.ts'
import { readDocument } from '../uploads.ts'

const params = closed({ evaluation_id: Type.String({ description: 'The id of the evaluation.' }) })

const query = closed({
  ...pageQuery,
  ...listFilterQuery(EVALUATION_FILTERS),
  include: Type.Optional(
    Type.Enum(['scores'], {
      type: 'string',
      description: 'scores: counts and means of each evaluator, of cost and of latency, as a last member.',
    }),
  ),
})

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

const WRITE_EXAMPLE = {
  id: 'support-answer-r5',
  name: 'Support answers, shorter prompt',
  variant_id: 'support-answer',
  revision: 5,
}

export function evaluationRoutes(app: App, context: RouteContext): void {
  const { reader, writes, settings } = context
  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations',
    config: { scope: 'read' },
    schema: describeList({
      operationId: 'listEvaluations',
      summary: 'The evaluations of the project',
      description:
        'Every evaluation of the project that the key belongs to, newest first; with filters, those that fit all of them.',
      tag: 'evaluations',
      querystring: query,
      element: 'Evaluation',
      example: EVALUATION_EXAMPLE,
    }),
    async handler(request, reply) {
      const path = '/api/evaluations'
      const more = request.query.include === 'scores' ? scoresMember(context.scores) : undefined
      return answerList(request, reply, { ...context, list: EVALUATIONS, path, more })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations/:evaluation_id',
    config: { scope: 'read', isConfinable: true },
    schema: describeDocument({
      operationId: 'getEvaluation',
      summary: 'One evaluation',
      description: 'What the list of evaluations has of it. Its scenarios are a read of their own.',
      tag: 'evaluations',
      params,
      querystring: closed({}),
      element: 'Evaluation',
      example: EVALUATION_EXAMPLE,
      notFound: ['evaluation-not-found'],
    }),
    async handler(request, reply) {
      return answerDocument(request, reply, context, async (snapshot) => {
        const { key, version } = await getEvaluation(snapshot, request.viewer, request.params.evaluation_id)
        return { version, open: async () => whole(() => getEvaluationText(snapshot, key)) }
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/evaluations',
    config: { scope: 'write' },
    schema: describeWrite({
      operationId: 'addEvaluation',
      summary: 'Make an evaluation',
      description:
        'Makes an evaluation without scenarios. Sending scenarios to an id that is not there makes one too, so this is for saying more of it than its id. The same request again changes nothing.',
      tag: 'evaluations',
      params: closed({}),
      body: { schema: 'EvaluationWrite', example: WRITE_EXAMPLE },
      answer: { status: 201, schema: 'Evaluation', example: EVALUATION_EXAMPLE, hasLocation: true },
      errors: ['conflict'],
    }),
    async handler(request, reply) {
      const { project } = request.viewer
      return writes.answer(request, reply, {
        read: (seen) => readDocument(request, settings, checkEvaluation, seen),
        async store(transaction, evaluation) {
          const key = await addEvaluation(transaction, project, evaluation)
          const body = await getEvaluationText(transaction, key)
          const { id } = JSON.parse(body) as { id: string }
          return { status: 201, location: `/api/evaluations/${encodeURIComponent(id)}`, body }
        },
      })
    },
  })

  app.route({
    method: 'PATCH',
    url: '/evaluations/:evaluation_id',
    config: { scope: 'write' },
    schema: describeWrite({
      operationId: 'changeEvaluation',
      summary: 'Change what is known of an evaluation',
      description: 'Sets the members that are given; null clears one.',
      tag: 'evaluations',
      params,
      body: { schema: 'EvaluationPatch', example: { baseline_id: 'support-answer-r4' } },
      answer: { status: 200, schema: 'Evaluation', example: EVALUATION_EXAMPLE },
      errors: ['evaluation-not-found'],
    }),
    async handler(request, reply) {
      const { evaluation_id } = request.params
      return writes.answer(request, reply, {
        check: () => getEvaluation(reader, request.viewer, evaluation_id),
        read: (seen) => readDocument(request, settings, checkEvaluationPatch, seen),
        async store(transaction, patch) {
          const { key } = await takeEvaluation(transaction, request.viewer, evaluation_id)
          await changeEvaluation(transaction, request.viewer.project, key, patch)
          return { status: 200, body: await getEvaluationText(transaction, key) }
        },
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/evaluations/:evaluation_id',
    config: { scope: 'write' },
    schema: describeWrite({
      operationId: 'deleteEvaluation',
      summary: 'Delete an evaluation',
      description: 'With its scenarios. There is no way back but a backup.',
      tag: 'evaluations',
      params,
      answer: { status: 204 },
      errors: ['evaluation-not-found'],
    }),
    async handler(request, reply) {
      return writes.answer(request, reply, {
        read: async () => undefined,
        async store(transaction) {
          const { key } = await takeEvaluation(transaction, request.viewer, request.params.evaluation_id)
          await deleteEvaluation(transaction, key)
          return { status: 204 }
        },
      })
    },
  })
}
