// /evaluations: lists, retrieves, creates, updates and deletes evaluations.

import { checkEvaluation, checkEvaluationPatch } from '../../schema/evaluations.ts'
import { listFilterQuery } from '../../schema/filters/filter-params.ts'
import { EVALUATION_FILTERS } from '../../schema/filters/list-filters.ts'
import { pageQuery } from '../../schema/pages.ts'
import { strictObject, Type } from '../../schema/schema-builders.ts'
import {
  createEvaluation,
  deleteEvaluation,
  EVALUATIONS,
  getEvaluation,
  getEvaluationText,
  lockEvaluation,
  updateEvaluation,
} from '../../store/evaluations/evaluations.ts'
import { readScoreTexts } from '../../store/evaluations/scores.ts'
import type { ExtraMember } from '../../store/reads/lists.ts'
import { describeDocument, describeList, describeWrite } from '../openapi/operations.ts'
import { respondWithDocument, singlePart } from '../reads/document.ts'
import { respondWithList } from '../reads/lists.ts'
import { readDocument } from '../request/parse-body.ts'
import type { App, RouteContext } from '../route-context.ts'

const params = strictObject({ evaluation_id: Type.String({ description: 'The id of the evaluation.' }) })

const evaluationsQuery = strictObject({
  ...pageQuery,
  ...listFilterQuery(EVALUATION_FILTERS),
  include: Type.Optional(
    Type.Enum(['scores'], {
      type: 'string',
      description:
        '`scores`: adds the member `scores`, with counts and means of each evaluator, of the cost and of the latency.',
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
  const scores: ExtraMember = {
    name: 'scores',
    read: (connection, rows) => readScoreTexts(context.textCache, connection, rows),
  }
  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations',
    config: { scope: 'read' },
    schema: describeList({
      operationId: 'listEvaluations',
      summary: 'List evaluations',
      description:
        'Returns the evaluations of the project of the API key, newest first. With filters, returns the evaluations that match all of them.',
      tag: 'evaluations',
      querystring: evaluationsQuery,
      element: 'Evaluation',
      example: EVALUATION_EXAMPLE,
    }),
    async handler(request, reply) {
      const path = '/api/evaluations'
      const extraMember = request.query.include === 'scores' ? scores : undefined
      return respondWithList(request, reply, { ...context, list: EVALUATIONS, path, extraMember })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations/:evaluation_id',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: describeDocument({
      operationId: 'getEvaluation',
      summary: 'Retrieve an evaluation',
      description:
        'Returns one evaluation, as in the list of evaluations. It does not contain the scenarios.',
      tag: 'evaluations',
      params,
      querystring: strictObject({}),
      element: 'Evaluation',
      example: EVALUATION_EXAMPLE,
      notFound: ['evaluation-not-found'],
    }),
    async handler(request, reply) {
      return respondWithDocument(request, reply, context, async (snapshot) => {
        const { key, version } = await getEvaluation(snapshot, request.viewer, request.params.evaluation_id)
        return { version, open: async () => singlePart(() => getEvaluationText(snapshot, key)) }
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/evaluations',
    config: { scope: 'write' },
    schema: describeWrite({
      operationId: 'addEvaluation',
      summary: 'Create an evaluation',
      description:
        'Creates an evaluation without scenarios. Adding scenarios to an unknown id also creates an evaluation; use this operation to set more than its id. Repeating the same request has no effect.',
      tag: 'evaluations',
      params: strictObject({}),
      body: { schema: 'EvaluationWrite', example: WRITE_EXAMPLE },
      success: { status: 201, schema: 'Evaluation', example: EVALUATION_EXAMPLE, hasLocation: true },
      errors: ['conflict'],
    }),
    async handler(request, reply) {
      const { project } = request.viewer
      return writes.handle(request, reply, {
        read: (onChunk) => readDocument(request, settings, checkEvaluation, onChunk),
        async store(transaction, evaluation) {
          const key = await createEvaluation(transaction, project, evaluation)
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
      summary: 'Update an evaluation',
      description: 'Sets the members in the body. `null` removes a value.',
      tag: 'evaluations',
      params,
      body: { schema: 'EvaluationPatch', example: { baseline_id: 'support-answer-r4' } },
      success: { status: 200, schema: 'Evaluation', example: EVALUATION_EXAMPLE },
      errors: ['evaluation-not-found'],
    }),
    async handler(request, reply) {
      const { evaluation_id } = request.params
      return writes.handle(request, reply, {
        check: () => getEvaluation(reader, request.viewer, evaluation_id),
        read: (onChunk) => readDocument(request, settings, checkEvaluationPatch, onChunk),
        async store(transaction, patch) {
          const { key } = await lockEvaluation(transaction, request.viewer, evaluation_id)
          await updateEvaluation(transaction, request.viewer.project, key, patch)
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
      description: 'Deletes the evaluation and its scenarios. You can restore them only from a backup.',
      tag: 'evaluations',
      params,
      success: { status: 204 },
      errors: ['evaluation-not-found'],
    }),
    async handler(request, reply) {
      return writes.handle(request, reply, {
        read: async () => undefined,
        async store(transaction) {
          const { key } = await lockEvaluation(transaction, request.viewer, request.params.evaluation_id)
          await deleteEvaluation(transaction, key)
          return { status: 204 }
        },
      })
    },
  })
}
