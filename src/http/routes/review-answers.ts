// /reviews/{review_id}: what reviewers use: the form, rows without results, and their answers.
import type { FastifyRequest } from 'fastify'
import { idSchema } from '../../schema/ids.ts'
import { AnswersWrite, checkAnswers, findAnswerErrors } from '../../schema/reviews/answers.ts'
import {
  NextReviewRow,
  ReviewForm,
  type ReviewPair,
  ReviewRow,
  ReviewRowAnswers,
  StoredAnswers,
} from '../../schema/reviews/reviews.ts'
import { optionalMembers, strictObject, Type } from '../../schema/schema-builders.ts'
import { ContentErrors } from '../../schema/validation/content-errors.ts'
import { type Answerer, putAnswers, removeAnswers } from '../../store/reviews/answers.ts'
import { leaseRow } from '../../store/reviews/leases.ts'
import { fromSides, toSides } from '../../store/reviews/pairs.ts'
import { buildForm, listRows, readRow } from '../../store/reviews/reviewer.ts'
import { type FoundReview, getReview, lockReview } from '../../store/reviews/reviews.ts'
import { readRows, rowsOfReviewer, startAfter } from '../../store/reviews/rows.ts'
import { getScenario, scenarioNotFoundError } from '../../store/scenarios/scenarios.ts'
import type { Connection } from '../../store/store.ts'
import { respondWithText } from '../reads/document.ts'
import { readDocument } from '../request/parse-body.ts'
import { endDisconnected, runQuery } from '../response/abort-on-disconnect.ts'
import type { App, RouteContext } from '../route-context.ts'

const reviewParam = { review_id: idSchema('The id of the review.') }
const params = strictObject(reviewParam)
const rowParams = strictObject({ ...reviewParam, scenario_id: idSchema('The id of the scenario.') })

/** For reviewers only: keys of a project never have the scope `review`. */
const REVIEWERS = { scope: 'review', allowsRestrictedKeys: true } as const
const REVIEWERS_AND_READERS = {
  scope: 'read',
  restrictedScope: 'review',
  allowsRestrictedKeys: true,
} as const
const REVIEWERS_AND_WRITERS = {
  scope: 'write',
  restrictedScope: 'review',
  allowsRestrictedKeys: true,
} as const

/** The name in the link of a reviewer. Undefined for a key of the project. */
function reviewerOf({ viewer, keyName }: FastifyRequest): string | undefined {
  return viewer.confined_to === null ? undefined : (keyName ?? '')
}

/** The answers of a key of the project are decisions. */
function answererOf(request: FastifyRequest): Answerer {
  const reviewer = reviewerOf(request)
  if (reviewer !== undefined) return { by: reviewer, is_decision: false }
  return { by: request.keyName ?? request.keyId ?? '', is_decision: true }
}

/** The pair of a row in a review of a comparison. Throws scenario-not-found for other rows. */
function findPair({ review }: FoundReview, scenario_id: string): ReviewPair | undefined {
  if (!review.pairs) return undefined
  const pair = review.pairs.find((each) => each.scenario_id === scenario_id)
  if (!pair) throw scenarioNotFoundError(scenario_id)
  return pair
}

export function reviewAnswerRoutes(app: App, context: RouteContext): void {
  const { reader, writes, settings, comparisonCache, queryQueue, clock } = context
  const { max_record_bytes: maxRecordBytes } = settings
  const readReview = async (snapshot: Connection, request: FastifyRequest) => {
    const { review_id } = request.params as { review_id: string }
    const found = await getReview(snapshot, request.viewer, review_id)
    return { found, readRows: async () => (await readRows(snapshot, found, comparisonCache)).rows }
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/reviews/:review_id/form',
    config: REVIEWERS,
    schema: {
      operationId: 'getReviewForm',
      summary: 'Retrieve the questions for a reviewer',
      description:
        'Returns what the reviewer of a share link is asked: the questions, the labels and the progress. Only with the scope `review`.',
      tag: 'reviews',
      params,
      returns: ReviewForm,
      isUnversioned: true,
      errors: ['too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const reviewer = reviewerOf(request) ?? ''
      const prepare = async (snapshot: Connection) => {
        const { found, readRows } = await readReview(snapshot, request)
        return { open: () => async () => JSON.stringify(buildForm(found, await readRows(), reviewer)) }
      }
      return respondWithText(reply, context, prepare, true)
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/reviews/:review_id/next',
    config: REVIEWERS,
    schema: {
      operationId: 'getNextReviewRow',
      summary: 'Retrieve the next row for a reviewer',
      description:
        'Returns the next row that this reviewer can answer, and reserves it for 5 minutes: other reviewers are given other rows. Answers are accepted without a reservation too. `row` is null if all rows are answered, or if other reviewers have the last ones open. Only with the scope `review`.',
      tag: 'reviews',
      params,
      querystring: strictObject(
        optionalMembers({
          after: Type.String({
            description:
              'The id of the row that was skipped or answered. The rows after it come first; skipped rows come back at the end.',
          }),
        }),
      ),
      returns: NextReviewRow,
      isUnversioned: true,
      errors: ['too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const reviewer = reviewerOf(request) ?? ''
      const { after } = request.query
      const find = async (snapshot: Connection) => {
        const { found, readRows } = await readReview(snapshot, request)
        const rows = await readRows()
        const { open, progress } = rowsOfReviewer(found.review, rows, reviewer)
        return { found, open: startAfter(open, rows, after), progress }
      }
      try {
        return await writes.handle(reply, {
          read: () => runQuery(reply, queryQueue, find),
          async store(transaction, { found, open, progress }) {
            const row = await leaseRow(transaction, found, open, { reviewer, now: clock(), after })
            const listed = row ? listRows(found, [row], reviewer) : []
            const text = row ? await readRow(transaction, found, listed, row.scenario_id) : 'null'
            return { status: 200, body: `{"row":${text},"progress":${JSON.stringify(progress)}}` }
          },
        })
      } catch (error) {
        endDisconnected(reply, error)
        return reply
      }
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/reviews/:review_id/rows',
    config: REVIEWERS_AND_READERS,
    schema: {
      operationId: 'listReviewRows',
      summary: 'List the rows of a review',
      description:
        'Returns the rows in the order of the review. With the link of a reviewer: those that this reviewer has answered or can answer, with the own answers. With a key of the project: all rows with all answers.',
      tag: 'reviews',
      params,
      returns: Type.Array(ReviewRowAnswers),
      isUnversioned: true,
      errors: ['too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const prepare = async (snapshot: Connection) => {
        const { found, readRows } = await readReview(snapshot, request)
        const read = async () => listRows(found, await readRows(), reviewerOf(request))
        return { open: () => async () => JSON.stringify(await read()) }
      }
      return respondWithText(reply, context, prepare, true)
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/reviews/:review_id/rows/:scenario_id',
    config: REVIEWERS_AND_READERS,
    schema: {
      operationId: 'getReviewRow',
      summary: 'Retrieve a row of a review',
      description:
        'Returns a row of the list of rows as reviewers see it, without results, cost, latency, note, extra data and the name of the evaluation, with the answers of this reviewer. With a key of the project: with all answers.',
      tag: 'reviews',
      params: rowParams,
      returns: ReviewRow,
      isUnversioned: true,
      errors: ['too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const { scenario_id } = request.params
      const prepare = async (snapshot: Connection) => {
        const { found, readRows } = await readReview(snapshot, request)
        const listed = listRows(found, await readRows(), reviewerOf(request))
        const text = await readRow(snapshot, found, listed, scenario_id)
        return { open: () => async () => text }
      }
      return respondWithText(reply, context, prepare, true)
    },
  })

  const lockRow = async (transaction: Parameters<typeof lockReview>[0], request: FastifyRequest) => {
    const { review_id, scenario_id } = request.params as { review_id: string; scenario_id: string }
    const found = await lockReview(transaction, request.viewer, review_id)
    await getScenario(transaction, found.evaluation.key, scenario_id)
    findPair(found, scenario_id)
    return found
  }
  const writtenBy = ({ review }: FoundReview) => [{ noun: 'evaluation', id: review.evaluation_id } as const]

  app.route({
    method: 'PUT',
    url: '/reviews/:review_id/answers/:scenario_id',
    config: REVIEWERS_AND_WRITERS,
    schema: {
      operationId: 'putReviewAnswers',
      summary: 'Answer the questions about a row',
      description:
        'Stores the answers of the reviewer of the share link, who is named by the link and not by the body, and replaces earlier ones. With a key of the project, they are a decision: it overrules the answers of reviewers. The result of the row follows: the strict majority of definite verdicts or labels, and the median of numbers. Without a majority the row has no result. All answers are in `extra.answers` of the scenario.',
      tag: 'reviews',
      params: rowParams,
      body: AnswersWrite,
      returns: StoredAnswers,
      isUnversioned: true,
    },
    async handler(request, reply) {
      const { viewer, params } = request
      const { review_id, scenario_id } = params
      return writes.handle(reply, {
        check: () => getReview(reader, viewer, review_id),
        read: () => readDocument(request, settings, checkAnswers),
        async store(transaction, { value }) {
          const found = await lockRow(transaction, request)
          const pair = reviewerOf(request) === undefined ? undefined : findPair(found, scenario_id)
          const given = pair ? fromSides(value.answers, pair) : value.answers
          const errors = findAnswerErrors(given, found.review.questions)
          if (errors.length > 0) throw toProblem(errors)
          const options = { now: clock(), maxRecordBytes }
          const answerer = answererOf(request)
          const answers = await putAnswers(transaction, found, scenario_id, answerer, given, options)
          const own = pair ? toSides(answers, pair) : answers
          const body = JSON.stringify({ id: scenario_id, answers: own })
          const receipt = answerer.is_decision ? { receipt: { id: scenario_id } } : {}
          return { status: 200, body, ...receipt, written: writtenBy(found) }
        },
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/reviews/:review_id/answers/:scenario_id',
    config: REVIEWERS_AND_WRITERS,
    schema: {
      operationId: 'deleteReviewAnswers',
      summary: 'Remove the answers about a row',
      description:
        'Removes the answers of the reviewer of the share link about one row. With a key of the project, removes the decision. The result of the row follows from the remaining answers.',
      tag: 'reviews',
      params: rowParams,
      isUnversioned: true,
    },
    async handler(request, reply) {
      return writes.handle(reply, {
        read: async () => undefined,
        async store(transaction) {
          const found = await lockRow(transaction, request)
          const { scenario_id } = request.params
          await removeAnswers(transaction, found, scenario_id, answererOf(request), maxRecordBytes)
          return { status: 204, written: writtenBy(found) }
        },
      })
    },
  })
}

function toProblem(found: ReturnType<typeof findAnswerErrors>) {
  const errors = new ContentErrors()
  errors.add(found, '', 1)
  return errors.toProblem()
}
