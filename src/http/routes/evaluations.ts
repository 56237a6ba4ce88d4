// /evaluations: lists, retrieves, creates, updates and deletes evaluations.

import {
  checkEvaluation,
  checkEvaluationPatch,
  Evaluation,
  EvaluationPatch,
  EvaluationWrite,
} from '../../schema/evaluations.ts'
import { EVALUATION_FILTERS } from '../../schema/filters/fields.ts'
import { listFilterQuery } from '../../schema/filters/filter-params.ts'
import { idSchema } from '../../schema/ids.ts'
import { pageQuery } from '../../schema/pages.ts'
import { commaSeparated, strictObject, Type } from '../../schema/schema-builders.ts'
import { INCLUDE_BASE } from '../../schema/scores.ts'
import { readScoresWithBaselines } from '../../store/compare/baseline-scores.ts'
import {
  createEvaluation,
  deleteEvaluation,
  EVALUATIONS,
  getEvaluation,
  getEvaluationText,
  getEvaluationVersion,
  lockEvaluation,
  patchEvaluation,
} from '../../store/evaluations/evaluations.ts'
import { readScoreTexts } from '../../store/evaluations/stored-scores.ts'
import type { ExtraMember } from '../../store/reads/lists.ts'
import { respondWithText } from '../reads/document.ts'
import { respondWithList } from '../reads/lists.ts'
import { readDocument } from '../request/parse-body.ts'
import { parseList } from '../request/query.ts'
import type { App, RouteContext } from '../route-context.ts'

const params = strictObject({ evaluation_id: idSchema('The id of the evaluation.') })

const INCLUDE_VALUES = ['scores', 'base'] as const
const evaluationsQuery = strictObject({
  ...pageQuery,
  ...listFilterQuery(EVALUATION_FILTERS),
  include: Type.Optional(
    commaSeparated(
      INCLUDE_VALUES,
      `Additional members, separated by commas. \`scores\`: counts and means of each evaluator, of the cost and of the latency. ${INCLUDE_BASE}`,
    ),
  ),
})

export function evaluationRoutes(app: App, context: RouteContext): void {
  const { reader, writes, settings, comparisonCache } = context
  const scores: ExtraMember = { name: 'scores', read: readScoreTexts, isSlow: false }
  const scoresWithBaselines: ExtraMember = {
    name: 'scores',
    read: (snapshot, evaluations) => readScoresWithBaselines(snapshot, evaluations, comparisonCache),
    isSlow: true,
  }
  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations',
    config: { scope: 'read' },
    schema: {
      operationId: 'listEvaluations',
      summary: 'List evaluations',
      description:
        'Returns the evaluations of the project of the API key, newest first. With filters, returns the evaluations that match all of them.',
      tag: 'evaluations',
      querystring: evaluationsQuery,
      returns: Type.Array(Evaluation),
      errors: ['too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const path = '/api/evaluations'
      const include = parseList('include', request.query.include, INCLUDE_VALUES)
      const extraMember = include.has('base')
        ? scoresWithBaselines
        : include.has('scores')
          ? scores
          : undefined
      return respondWithList(reply, { ...context, list: EVALUATIONS, path, extraMember })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations/:evaluation_id',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: {
      operationId: 'getEvaluation',
      summary: 'Retrieve an evaluation',
      description:
        'Returns one evaluation, as in the list of evaluations. It does not contain the scenarios.',
      tag: 'evaluations',
      params,
      returns: Evaluation,
    },
    async handler(request, reply) {
      return respondWithText(reply, context, async (snapshot) => {
        const { key, version } = await getEvaluation(snapshot, request.viewer, request.params.evaluation_id)
        return { version, open: () => () => getEvaluationText(snapshot, key) }
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/evaluations',
    config: { scope: 'write' },
    schema: {
      operationId: 'addEvaluation',
      summary: 'Create an evaluation',
      description:
        'Creates an evaluation without scenarios. Adding scenarios to an unknown id also creates an evaluation; use this operation to set more than its id. Repeating the same request has no effect.',
      tag: 'evaluations',
      body: EvaluationWrite,
      returns: Evaluation,
      hasLocation: true,
    },
    async handler(request, reply) {
      const { project } = request.viewer
      return writes.handle(reply, {
        read: () => readDocument(request, settings, checkEvaluation),
        async store(transaction, evaluation) {
          const key = await createEvaluation(transaction, project, evaluation)
          const body = await getEvaluationText(transaction, key)
          const { id } = JSON.parse(body) as { id: string }
          const version = await getEvaluationVersion(transaction, key)
          return {
            status: 201,
            location: `/api/evaluations/${encodeURIComponent(id)}`,
            body,
            receipt: { id },
            version,
            written: [{ noun: 'evaluation', id }],
          }
        },
      })
    },
  })

  app.route({
    method: 'PATCH',
    url: '/evaluations/:evaluation_id',
    config: { scope: 'write' },
    schema: {
      operationId: 'changeEvaluation',
      summary: 'Update an evaluation',
      description:
        'Sets the members in the body. `null` removes a value. Evaluators that the body does not name stay.',
      tag: 'evaluations',
      params,
      body: EvaluationPatch,
      returns: Evaluation,
    },
    async handler(request, reply) {
      const { evaluation_id } = request.params
      return writes.handle(reply, {
        check: () => getEvaluation(reader, request.viewer, evaluation_id),
        read: () => readDocument(request, settings, checkEvaluationPatch),
        lock: (transaction) => lockEvaluation(transaction, request.viewer, evaluation_id),
        async store(transaction, patch, { key }) {
          await patchEvaluation(transaction, request.viewer.project, key, patch)
          const body = await getEvaluationText(transaction, key)
          const version = await getEvaluationVersion(transaction, key)
          return { status: 200, body, receipt: { id: evaluation_id }, version }
        },
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/evaluations/:evaluation_id',
    config: { scope: 'write' },
    schema: {
      operationId: 'deleteEvaluation',
      summary: 'Delete an evaluation',
      description: 'Deletes the evaluation and its scenarios. You can restore them only from a backup.',
      tag: 'evaluations',
      params,
    },
    async handler(request, reply) {
      return writes.handle(reply, {
        read: async () => undefined,
        lock: (transaction) => lockEvaluation(transaction, request.viewer, request.params.evaluation_id),
        async store(transaction, _content, { key }) {
          await deleteEvaluation(transaction, key)
          return { status: 204 }
        },
      })
    },
  })
}
