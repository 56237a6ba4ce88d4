// Stored reviews: find by id, list, create, change and delete.
import { hash } from 'node:crypto'
import { invalidContent, Problem } from '../../errors.ts'
import type { Action } from '../../schema/changes.ts'
import { generateId, isId } from '../../schema/ids.ts'
import { isAllowedBy } from '../../schema/key-restriction.ts'
import type { Review, ReviewPatch, ReviewWrite } from '../../schema/reviews/reviews.ts'
import { normalizeTime } from '../../schema/times.ts'
import {
  notFoundError,
  outsideRestrictionError,
  rejectOtherProject,
  type Viewer,
} from '../access/projects.ts'
import { forgetResponsesAt } from '../changes/idempotency.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'
import { insertRow } from '../dialect/insert.ts'
import {
  type EvaluationInfo,
  findEvaluation,
  getEvaluation,
  getEvaluationVersion,
} from '../evaluations/evaluations.ts'
import {
  checkEvaluators,
  checkFilters,
  checkTypes,
  type Definition,
  declareEvaluators,
  withDefaults,
} from './definition.ts'

interface ReviewRow {
  project: number
  id: string
  evaluation_id: string
  definition: string
  created_at: string
  updated_at: string
}

/** A review and its evaluation, which exists as long as its reviews. */
export interface FoundReview {
  project: number
  review: Review
  evaluation: EvaluationInfo
  /** The baseline of a review of a comparison. An import can lack it. */
  base: EvaluationInfo | undefined
  /** Changes with the review and with everything in its evaluation. */
  version: string
}

export const FIND_REVIEW = 'SELECT * FROM review WHERE project = ? AND id = ?'

/** Throws review-not-found, or access-denied if the viewer cannot access the review. */
export async function getReview(connection: Connection, viewer: Viewer, id: string): Promise<FoundReview> {
  const { confined_to } = viewer
  if (confined_to && !isAllowedBy(confined_to, 'review', id)) throw outsideRestrictionError(confined_to)
  if (!isId(id)) throw notFoundError(viewer, 'review', id)
  const row = await connection.get<ReviewRow>(FIND_REVIEW, viewer.project, id)
  const find = (evaluation_id: string) =>
    findEvaluation(connection, projectViewer(viewer.project), evaluation_id)
  const evaluation = row && (await find(row.evaluation_id))
  if (row && evaluation) {
    const { pairs, base_id } = toReview(row)
    return toFoundReview(row, evaluation, pairs && base_id !== null ? await find(base_id) : undefined)
  }
  await rejectOtherProject(connection, viewer, 'review', id)
  throw notFoundError(viewer, 'review', id)
}

/** Like getReview, and locks its evaluation until the transaction ends. */
export async function lockReview(transaction: Transaction, viewer: Viewer, id: string): Promise<FoundReview> {
  const { review } = await getReview(transaction, viewer, id)
  await transaction.lock('evaluation', viewer.project, review.evaluation_id)
  return getReview(transaction, viewer, id)
}

/** A viewer that can read the whole project: reviewers cannot read the evaluation itself. */
export function projectViewer(project: number): Viewer {
  return { project, conceal: false, confined_to: null }
}

function toFoundReview(
  row: ReviewRow,
  evaluation: EvaluationInfo,
  base: EvaluationInfo | undefined,
): FoundReview {
  const digest = hash('sha256', `${row.updated_at} ${row.definition}`, 'base64url')
  const version = `${digest.slice(0, 16)}.${evaluation.version}${base ? `.${base.version}` : ''}`
  return { project: row.project, review: toReview(row), evaluation, base, version }
}

function toReview({ id, evaluation_id, definition, created_at, updated_at }: ReviewRow): Review {
  return { id, evaluation_id, ...(JSON.parse(definition) as Definition), created_at, updated_at }
}

export const LIST_REVIEWS =
  'SELECT * FROM review WHERE project = ? AND evaluation_id = ? ORDER BY created_at, id'

/** The reviews of an evaluation, oldest first. */
export async function listReviews(
  connection: Connection,
  project: number,
  evaluation_id: string,
): Promise<Review[]> {
  const rows = await connection.all<ReviewRow>(LIST_REVIEWS, project, evaluation_id)
  return rows.map(toReview)
}

/** Changes when a review of the evaluation is created, changed or deleted. Empty without reviews. */
export async function readReviewsVersion(
  connection: Connection,
  project: number,
  evaluation_id: string,
): Promise<string> {
  const rows = await connection.all<ReviewRow>(LIST_REVIEWS, project, evaluation_id)
  if (rows.length === 0) return ''
  return hash('sha256', JSON.stringify(rows), 'base64url').slice(0, 16)
}

/** An evaluation that the caller has locked. */
export interface LockedEvaluation {
  project: number
  id: string
  key: number
}

/**
 * Creates a review, and declares its evaluators as human ones. A repeated request changes nothing. Throws conflict if the id exists with
 * different content, and invalid-content if the filters or evaluators cannot be used.
 */
export async function createReview(
  transaction: Transaction,
  evaluation: LockedEvaluation,
  content: ReviewWrite,
  compared?: ComparedReview,
): Promise<FoundReview> {
  const { project, id: evaluation_id } = evaluation
  const id = content.id ?? generateId()
  const definition = withDefaults({ ...content, pairs: compared ? [] : null })
  await transaction.lock('review', project, id)
  const existing = await transaction.get<ReviewRow>(FIND_REVIEW, project, id)
  if (existing) {
    const isSame =
      existing.evaluation_id === evaluation_id &&
      JSON.stringify(withoutPairs(JSON.parse(existing.definition))) === JSON.stringify(definition)
    if (isSame) return getReview(transaction, projectViewer(project), id)
    throw new Problem(
      'conflict',
      `The review '${id}' already exists with different content, so nothing was changed. Choose another id or PATCH the existing review.`,
    )
  }
  await checkDefinition(transaction, evaluation, id, definition)
  await insertReview(transaction, evaluation, { id, ...definition })
  await storePairs(transaction, project, id, compared)
  await recordReviewChange(transaction, evaluation, 'review.created', id)
  return getReview(transaction, projectViewer(project), id)
}

/** Chooses the pairs of a review of a comparison. */
export type ComparedReview = (transaction: Transaction, found: FoundReview) => Promise<Review['pairs']>

const SET_DEFINITION = 'UPDATE review SET definition = ? WHERE project = ? AND id = ?'

async function storePairs(
  transaction: Transaction,
  project: number,
  id: string,
  choose: ComparedReview | undefined,
): Promise<void> {
  const found = await getReview(transaction, projectViewer(project), id)
  if (!found.review.pairs || !choose) return
  const definition = withDefaults({ ...found.review, pairs: await choose(transaction, found) })
  await transaction.run(SET_DEFINITION, JSON.stringify(definition), project, id)
}

/** Equal definitions have different pairs, because the sides are random. */
function withoutPairs({ pairs, ...definition }: Definition): Definition {
  return { ...definition, pairs: pairs && [] }
}

/**
 * Adds a review of a full export to an evaluation, unless it has the review already. Another id is generated if a review of another
 * evaluation has it.
 */
export async function importReview(
  transaction: Transaction,
  viewer: Viewer,
  evaluation_id: string,
  { id, evaluation_id: _, ...review }: Review,
): Promise<void> {
  const { project } = viewer
  const { key } = await getEvaluation(transaction, viewer, evaluation_id)
  await transaction.lock('review', project, id)
  const existing = await transaction.get<ReviewRow>(FIND_REVIEW, project, id)
  if (existing?.evaluation_id === evaluation_id) return
  const evaluators = new Set(review.questions.map(({ evaluator }) => evaluator))
  const isAsked = ({ questions }: Review) => questions.some(({ evaluator }) => evaluators.has(evaluator))
  if ((await listReviews(transaction, project, evaluation_id)).some(isAsked)) return
  const evaluation = { project, id: evaluation_id, key }
  const newId = existing ? generateId() : id
  const created_at = normalizeTime(review.created_at) as string
  const updated_at = normalizeTime(review.updated_at) as string
  await insertReview(transaction, evaluation, { ...review, id: newId, created_at, updated_at })
  await recordReviewChange(transaction, evaluation, 'review.created', newId)
}

/** Inserts the row only. Without times, the review was created now. */
export async function insertReview(
  transaction: Transaction,
  { project, id: evaluation_id }: LockedEvaluation,
  { id, created_at, updated_at, ...definition }: Definition & { id: string } & Partial<Review>,
): Promise<void> {
  const now = new Date().toISOString()
  await insertRow(transaction, 'review', {
    project,
    id,
    evaluation_id,
    definition: JSON.stringify(withDefaults(definition)),
    created_at: created_at ?? now,
    updated_at: updated_at ?? now,
  })
}

/** Changes the present members; null restores their default. Answers stay. Throws invalid-content. */
export async function updateReview(
  transaction: Transaction,
  { project, review, evaluation: { key } }: FoundReview,
  patch: ReviewPatch,
  hasAnswers: (evaluator: string) => Promise<boolean>,
  choosePairs: ComparedReview,
): Promise<FoundReview> {
  const evaluation = { project, id: review.evaluation_id, key }
  const { id, evaluation_id: _, created_at: _created, updated_at: _updated, ...stored } = review
  const definition = withDefaults({ ...stored, ...patch })
  if (JSON.stringify(definition) === JSON.stringify(stored))
    return getReview(transaction, projectViewer(project), id)
  if (stored.pairs && definition.base_id !== stored.base_id)
    throw invalidContent('/base_id', 'The baseline of a review of a comparison cannot change.')
  for (const [index, { evaluator, type }] of definition.questions.entries()) {
    const previous = stored.questions.find((question) => question.evaluator === evaluator)
    if (previous && previous.type !== type && (await hasAnswers(evaluator)))
      throw invalidContent(
        `/questions/${index}/type`,
        `The question '${evaluator}' has answers, so its type cannot change. Use another evaluator.`,
      )
  }
  await checkDefinition(transaction, evaluation, id, definition)
  await transaction.run(
    'UPDATE review SET definition = ?, updated_at = ? WHERE project = ? AND id = ?',
    JSON.stringify(definition),
    new Date().toISOString(),
    project,
    id,
  )
  await storePairs(transaction, project, id, choosePairs)
  await recordReviewChange(transaction, evaluation, 'review.updated', id)
  return getReview(transaction, projectViewer(project), id)
}

/** Deletes the review itself. Its answers must be deleted before. */
export async function deleteReview(
  transaction: Transaction,
  { project, review, evaluation: { key } }: FoundReview,
): Promise<void> {
  const { id, evaluation_id } = review
  await transaction.run('DELETE FROM review WHERE project = ? AND id = ?', project, id)
  await transaction.run('DELETE FROM review_lease WHERE project = ? AND review_id = ?', project, id)
  await forgetResponsesAt(transaction, project, reviewLocation(id))
  await recordReviewChange(transaction, { project, id: evaluation_id, key }, 'review.deleted', id)
}

export function reviewLocation(id: string): string {
  return `/api/reviews/${encodeURIComponent(id)}`
}

async function recordReviewChange(
  transaction: Transaction,
  { project, id, key }: LockedEvaluation,
  action: Extract<Action, `review.${string}`>,
  element: string,
): Promise<void> {
  const version = await getEvaluationVersion(transaction, key)
  transaction.recordChange({ project, action, subject: id, element, version })
}

async function checkDefinition(
  transaction: Transaction,
  { project, id: evaluation_id, key }: LockedEvaluation,
  id: string,
  definition: Definition,
): Promise<void> {
  checkFilters(definition)
  checkTypes(definition)
  const reviews = await listReviews(transaction, project, evaluation_id)
  const others = reviews.filter((review) => review.id !== id)
  await checkEvaluators(transaction, key, definition, others)
  await declareEvaluators(transaction, { project, key }, definition)
}
