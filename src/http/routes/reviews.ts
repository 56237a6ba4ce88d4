// /reviews: creates, reads, changes and deletes reviews, and renames and compares their labels.
import { invalidContent } from '../../errors.ts'
import { idSchema } from '../../schema/ids.ts'
import { LabelComparison } from '../../schema/reviews/label-comparisons.ts'
import {
  ComparisonReviewWrite,
  checkComparisonReview,
  checkLabelMerge,
  checkReview,
  checkReviewPatch,
  LabelMerge,
  MergedLabels,
  Review,
  ReviewPatch,
  ReviewReport,
  ReviewWrite,
} from '../../schema/reviews/reviews.ts'
import { strictObject, Type } from '../../schema/schema-builders.ts'
import { JoinedColumns } from '../../store/compare/joined-columns.ts'
import { getEvaluation, lockEvaluation } from '../../store/evaluations/evaluations.ts'
import { hasAnswers, mergeLabels, removeAllAnswers } from '../../store/reviews/answers.ts'
import { choosePairs } from '../../store/reviews/choose-pairs.ts'
import { compareLabels } from '../../store/reviews/label-comparison.ts'
import { buildReport } from '../../store/reviews/report.ts'
import {
  type ComparedReview,
  createReview,
  deleteReview,
  type FoundReview,
  getReview,
  listReviews,
  lockReview,
  reviewLocation,
  updateReview,
} from '../../store/reviews/reviews.ts'
import { readRows } from '../../store/reviews/rows.ts'
import type { Connection } from '../../store/store.ts'
import { respondWithText } from '../reads/document.ts'
import { readDocument } from '../request/parse-body.ts'
import type { App, RouteContext } from '../route-context.ts'
import { joinKeyQuery, prepareComparison } from './comparisons.ts'

const evaluationParams = strictObject({ evaluation_id: idSchema('The id of the evaluation.') })
const params = strictObject({ review_id: idSchema('The id of the review.') })

export function reviewRoutes(app: App, context: RouteContext): void {
  const { reader, writes, settings, comparisonCache } = context
  const { max_record_bytes: maxRecordBytes } = settings
  const readReport = async (connection: Connection, found: FoundReview) =>
    JSON.stringify(buildReport(found.review, await readRows(connection, found, comparisonCache)))
  const choose: ComparedReview = async (transaction, found) =>
    found.base ? choosePairs(transaction, found, found.base, comparisonCache) : found.review.pairs
  app.route({
    method: ['GET', 'HEAD'],
    url: '/evaluations/:evaluation_id/reviews',
    config: { scope: 'read' },
    schema: {
      operationId: 'listReviews',
      summary: 'List the reviews of an evaluation',
      description: 'Returns the reviews of an evaluation, oldest first.',
      tag: 'reviews',
      params: evaluationParams,
      returns: Type.Array(Review),
      isUnversioned: true,
    },
    async handler(request, reply) {
      const { viewer, params } = request
      return respondWithText(reply, context, async (snapshot) => {
        await getEvaluation(snapshot, viewer, params.evaluation_id)
        const read = () => listReviews(snapshot, viewer.project, params.evaluation_id)
        return { open: () => async () => JSON.stringify(await read()) }
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/evaluations/:evaluation_id/reviews',
    config: { scope: 'write' },
    schema: {
      operationId: 'createReview',
      summary: 'Create a review',
      description:
        'Creates a review: questions about rows of an evaluation that people answer. It selects its rows whenever it is read: those that match the filters and, with `sample`, those of them with the smallest hashes of seed and scenario id. The evaluators of the questions are declared with the kind `human`. Create a share link per reviewer with `confined_to.review_id`.',
      tag: 'reviews',
      params: evaluationParams,
      body: ReviewWrite,
      returns: ReviewReport,
      hasLocation: true,
    },
    async handler(request, reply) {
      const { viewer, params } = request
      const { evaluation_id } = params
      return writes.handle(reply, {
        check: () => getEvaluation(reader, viewer, evaluation_id),
        read: () => readDocument(request, settings, checkReview),
        lock: (transaction) => lockEvaluation(transaction, viewer, evaluation_id),
        async store(transaction, { value }, { key }) {
          const evaluation = { project: viewer.project, id: evaluation_id, key }
          const found = await createReview(transaction, evaluation, value)
          const { id } = found.review
          const body = await readReport(transaction, found)
          return { status: 201, location: reviewLocation(id), body, receipt: { id }, version: found.version }
        },
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/comparisons/reviews',
    config: { scope: 'write' },
    schema: {
      operationId: 'createComparisonReview',
      summary: 'Create a review of a comparison',
      description:
        'Creates a review in which people compare the outputs of two evaluations, and answer which is better. Reviewers see them as left and right, in an order that is random per row and stored, and do not learn which is which. The review belongs to the candidate, the second evaluation: the result of a row is `candidate`, `baseline`, `equal` or `both_bad`, by the majority of reviewers. Its rows are those that both evaluations have, when the review is created or changed. Deleting either evaluation deletes the review.',
      tag: 'reviews',
      body: ComparisonReviewWrite,
      returns: ReviewReport,
      hasLocation: true,
      errors: ['evaluation-not-found'],
    },
    async handler(request, reply) {
      const { viewer } = request
      return writes.handle(reply, {
        read: () => readDocument(request, settings, checkComparisonReview),
        async store(transaction, { value }) {
          const { evaluations, ...content } = value
          const [base_id = '', evaluation_id = ''] = evaluations
          if (base_id === evaluation_id)
            throw invalidContent('/evaluations/1', 'Compare two different evaluations.')
          const { key } = await lockEvaluation(transaction, viewer, evaluation_id)
          await getEvaluation(transaction, viewer, base_id)
          const evaluation = { project: viewer.project, id: evaluation_id, key }
          const found = await createReview(transaction, evaluation, { ...content, base_id }, choose)
          const { id } = found.review
          const body = await readReport(transaction, found)
          const written = [{ noun: 'evaluation', id: evaluation_id } as const]
          return {
            ...{ status: 201, location: reviewLocation(id), body, receipt: { id } },
            ...{ version: found.version, written },
          }
        },
      })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/reviews/:review_id',
    config: { scope: 'read' },
    schema: {
      operationId: 'getReview',
      summary: 'Retrieve the report of a review',
      description:
        'Returns the review with its progress in total and per reviewer, the results of each question, the agreement of reviewers, the disputed rows and the number of rows per label.',
      tag: 'reviews',
      params,
      returns: ReviewReport,
      errors: ['too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const { viewer, params } = request
      const prepare = async (snapshot: Connection) => {
        const found = await getReview(snapshot, viewer, params.review_id)
        return { version: found.version, open: () => () => readReport(snapshot, found) }
      }
      return respondWithText(reply, context, prepare, true)
    },
  })

  app.route({
    method: 'PATCH',
    url: '/reviews/:review_id',
    config: { scope: 'write' },
    schema: {
      operationId: 'changeReview',
      summary: 'Change a review',
      description:
        'Sets the members in the body; `null` restores a default. No answer is lost: answers in rows or to questions that the review no longer has stay stored. The type of a question with answers cannot change.',
      tag: 'reviews',
      params,
      body: ReviewPatch,
      returns: ReviewReport,
    },
    async handler(request, reply) {
      const { viewer, params } = request
      return writes.handle(reply, {
        check: () => getReview(reader, viewer, params.review_id),
        read: () => readDocument(request, settings, checkReviewPatch),
        lock: (transaction) => lockReview(transaction, viewer, params.review_id),
        async store(transaction, { value }, found) {
          const isAnswered = (evaluator: string) => hasAnswers(transaction, found.evaluation.key, evaluator)
          const changed = await updateReview(transaction, found, value, isAnswered, choose)
          const { id, evaluation_id } = changed.review
          const written = [{ noun: 'evaluation', id: evaluation_id } as const]
          const body = await readReport(transaction, changed)
          return { status: 200, body, receipt: { id }, version: changed.version, written }
        },
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/reviews/:review_id',
    config: { scope: 'write' },
    schema: {
      operationId: 'deleteReview',
      summary: 'Delete a review',
      description:
        'Deletes a review with the answers to its questions and the results that follow from them. You can restore them only from a backup.',
      tag: 'reviews',
      params,
    },
    async handler(request, reply) {
      const { viewer, params } = request
      return writes.handle(reply, {
        read: async () => undefined,
        lock: (transaction) => lockReview(transaction, viewer, params.review_id),
        async store(transaction, _content, found) {
          await removeAllAnswers(transaction, found, maxRecordBytes)
          await deleteReview(transaction, found)
          return { status: 204 }
        },
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/reviews/:review_id/labels',
    config: { scope: 'write' },
    schema: {
      operationId: 'mergeReviewLabels',
      summary: 'Rename or merge labels',
      description:
        'Replaces labels by another one in all answers to a question. One label is renamed; several are merged. For a question of the type `label`, the values change too, and the results of their rows.',
      tag: 'reviews',
      params,
      body: LabelMerge,
      status: 200,
      returns: MergedLabels,
      isUnversioned: true,
    },
    async handler(request, reply) {
      const { viewer, params } = request
      return writes.handle(reply, {
        check: () => getReview(reader, viewer, params.review_id),
        read: () => readDocument(request, settings, checkLabelMerge),
        async store(transaction, { value }) {
          const found = await lockReview(transaction, viewer, params.review_id)
          const answers = await mergeLabels(transaction, found, value, maxRecordBytes)
          const written = [{ noun: 'evaluation', id: found.review.evaluation_id } as const]
          return { status: 200, body: JSON.stringify({ answers }), written }
        },
      })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/comparisons/labels',
    config: { scope: 'read' },
    schema: {
      operationId: 'compareReviewLabels',
      summary: 'Compare the labels of two evaluations',
      description:
        'Returns which labels of a question, such as failure modes, are new, gone, more or less frequent in the candidate. Only matched rows with definite answers in both evaluations count.',
      tag: 'reviews',
      querystring: strictObject({
        evaluation: Type.Array(idSchema('The id of an evaluation.'), {
          minItems: 2,
          maxItems: 2,
          description: 'The ids of the baseline and of the candidate. Repeat the parameter.',
        }),
        on: Type.String({
          description: 'The evaluator of the question, which both evaluations have reviewed.',
        }),
        ...joinKeyQuery('The join key that matches rows, as in comparisons. Default: `auto`.'),
      }),
      returns: LabelComparison,
      isUnversioned: true,
      errors: ['evaluation-not-found', 'too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const { viewer, query } = request
      const { evaluation, on, by = 'auto' } = query
      const prepare = async (snapshot: Connection) => {
        const { open } = await prepareComparison(snapshot, viewer, evaluation, by, (sides) => async () => {
          const columns = await JoinedColumns.open(snapshot, sides, by, comparisonCache)
          return JSON.stringify(await compareLabels(columns, viewer.project, on))
        })
        return { open }
      }
      return respondWithText(reply, context, prepare, true)
    },
  })
}
