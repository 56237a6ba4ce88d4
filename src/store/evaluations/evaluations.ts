// Evaluations: find by id, list newest first, create, update and delete.
import { Json } from '../../json/value.ts'
import type { Evaluation, EvaluationPatch, EvaluationWrite } from '../../schema/evaluations.ts'
import { EVALUATION_FILTERS, type FilterField } from '../../schema/filters/fields.ts'
import type { ParsedValue } from '../../schema/validation/parsed-value.ts'
import { DELETED_PROJECT } from '../access/projects.ts'
import { checkReferences } from '../access/references.ts'
import { recordDeletion } from '../changes/record.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'
import type { ColumnTable } from '../resources/columns.ts'
import { defineResource, type ResourceInfo } from '../resources/resource.ts'
import { recordDeclarationChanges } from './declaration-changes.ts'
import { changeDeclarations, parseDeclaredEvaluators, readEvaluators } from './evaluators.ts'
import { updateThresholds } from './stored-scores.ts'

export type EvaluationInfo = ResourceInfo

export const EVALUATION_COLUMNS = {
  id: 'text',
  name: 'text',
  variant_id: 'text',
  revision: 'number',
  baseline_id: 'text',
  family: 'text',
  label: 'text',
  provider: 'text',
  source: 'text',
  created_at: 'time',
  updated_at: 'update time',
  status: 'status',
  scenario_count: 'count',
  expected_count: 'number',
  tags: 'list',
  evaluators: 'json',
  metadata: 'json',
  scores: 'on request',
} as const satisfies ColumnTable<Evaluation, EvaluationWrite>

const { update, ...resource } = defineResource<EvaluationWrite>({
  noun: 'evaluation',
  columns: EVALUATION_COLUMNS,
  countColumn: 'scenario_count',
  filters: EVALUATION_FILTERS satisfies Partial<Record<keyof typeof EVALUATION_COLUMNS | 'q', FilterField>>,
  conflictHint: 'Choose another id or PATCH the existing evaluation.',
  checkReferences,
  onWritten: linkRevision,
})

export const {
  list: EVALUATIONS,
  findStatement: FIND_EVALUATION,
  find: findEvaluation,
  get: getEvaluation,
  lock: lockEvaluation,
  lockIfExists: lockEvaluationIfExists,
  getVersion: getEvaluationVersion,
  getText: getEvaluationText,
  ensure: ensureEvaluation,
  create: createEvaluation,
  findDifferences: findDifferingMembers,
} = resource

const LINK_REVISION = `UPDATE evaluation SET revision_created_at = (SELECT revision.created_at
  FROM variant JOIN revision ON revision.variant = variant.key
  WHERE variant.project = evaluation.project AND variant.id = evaluation.variant_id
    AND revision.revision = evaluation.revision) WHERE key = ?`

/** Links the evaluation to the revision that exists now: after its deletion, its number can be used again. */
async function linkRevision(
  transaction: Transaction,
  key: number,
  members: { variant_id?: unknown; revision?: unknown },
): Promise<void> {
  if (members.variant_id === undefined && members.revision === undefined) return
  await transaction.run(LINK_REVISION, key)
}

export interface RanRevision {
  variant_id: string | null
  revision: number | null
  /** Null if there is no revision. */
  revision_created_at: string | null
}

/** The revision that the evaluation ran. All are null if it names none. */
export async function getRevisionOf(connection: Connection, key: number): Promise<RanRevision> {
  const statement = 'SELECT variant_id, revision, revision_created_at FROM evaluation WHERE key = ?'
  const row = await connection.get<RanRevision>(statement, key)
  return row ?? { variant_id: null, revision: null, revision_created_at: null }
}

export async function getEvaluationName(connection: Connection, key: number): Promise<string | null> {
  const row = await connection.get<{ name: string | null }>('SELECT name FROM evaluation WHERE key = ?', key)
  return row?.name ?? null
}

/**
 * Updates the present members; null clears a member. Without a different member, the evaluation keeps its version.
 * Throws invalid-content like createEvaluation.
 */
export async function updateEvaluation(
  transaction: Transaction,
  project: number,
  key: number,
  patch: ParsedValue<EvaluationWrite>,
): Promise<void> {
  const { value } = patch
  if (value.variant_id !== undefined || value.revision !== undefined)
    await checkReferences(transaction, project, { ...(await getRevisionOf(transaction, key)), ...value })
  const differences = await findDifferingMembers(transaction, key, patch)
  if (differences.length === 0) return
  const previous = await readEvaluators(transaction, key)
  await update(transaction, key, patch)
  if (!differences.includes('evaluators')) return
  await updateThresholds(transaction, key, parseDeclaredEvaluators(previous))
  await recordDeclarationChanges(transaction, key, previous)
}

/** Like updateEvaluation, but evaluators that the patch does not name stay, and so do their members. */
export async function patchEvaluation(
  transaction: Transaction,
  project: number,
  key: number,
  { value: { evaluators, ...value }, memberTexts }: ParsedValue<EvaluationPatch>,
): Promise<void> {
  const texts = new Map(memberTexts)
  if (evaluators) {
    const stored = new Json((await readEvaluators(transaction, key)) ?? '[]')
    const changes = new Json(memberTexts.get('evaluators') ?? '[]')
    texts.set('evaluators', changeDeclarations(stored, changes).text)
  }
  // JSON members are stored as their text.
  return updateEvaluation(transaction, project, key, { value, memberTexts: texts })
}

/** Sets the update time to the one in an imported file. Call it after all other changes of the evaluation. */
export async function restoreUpdateTime(transaction: Transaction, key: number, time: string): Promise<void> {
  await transaction.run('UPDATE evaluation SET updated_at = ? WHERE key = ?', time, key)
}

/** The new project and id of a deleted evaluation. No id of a client contains a tab. */
const HIDE = `project = ${DELETED_PROJECT}, id = '\t' || key`

/**
 * Deletes an evaluation: from now on it cannot be found, and its id can be used again. REMOVE_DELETED removes its rows
 * later, because that can take minutes.
 */
export async function deleteEvaluation(transaction: Transaction, key: number): Promise<void> {
  const deleted = await transaction.get<{ project: number; id: string; count: number }>(
    'SELECT project, id, scenario_count AS count FROM evaluation WHERE key = ?',
    key,
  )
  if (!deleted || deleted.project === DELETED_PROJECT) return
  await hideEvaluation(transaction, key)
  for (const statement of DELETE_REVIEWS) await transaction.run(statement, deleted.project, deleted.id)
  await deleteComparedReviews(transaction, deleted.project, deleted.id)
  await recordDeletion(transaction, 'evaluation', 'scenario', deleted)
}

/** The reviews of an evaluation refer to its id, which can be used again. */
const DELETE_REVIEWS = [
  `DELETE FROM review_lease WHERE (project, review_id) IN
     (SELECT project, id FROM review WHERE project = ? AND evaluation_id = ?)`,
  'DELETE FROM review WHERE project = ? AND evaluation_id = ?',
]

interface ComparedReviewRow {
  id: string
  evaluation_id: string
  definition: string
  key: number
}

/** A first choice: every definition that contains the id of the baseline. */
const FIND_COMPARED_REVIEWS = `SELECT review.id, review.evaluation_id, review.definition, evaluation.key
  FROM review JOIN evaluation ON evaluation.project = review.project AND evaluation.id = review.evaluation_id
  WHERE review.project = ? AND review.definition LIKE ? ESCAPE '!'`

/** Deletes the reviews that compare another evaluation with a deleted one. Their answers stay in the rows of the other one. */
async function deleteComparedReviews(
  transaction: Transaction,
  project: number,
  base_id: string,
): Promise<void> {
  const text = JSON.stringify(base_id).replaceAll(/[!%_]/g, '!$&')
  const rows = await transaction.all<ComparedReviewRow>(FIND_COMPARED_REVIEWS, project, `%"base_id":${text}%`)
  for (const { id, evaluation_id, definition, key } of rows) {
    const review = JSON.parse(definition)
    if (review.base_id !== base_id || !review.pairs) continue
    await transaction.run('DELETE FROM review_lease WHERE project = ? AND review_id = ?', project, id)
    await transaction.run('DELETE FROM review WHERE project = ? AND id = ?', project, id)
    const version = await getEvaluationVersion(transaction, key)
    transaction.recordChange({
      project,
      action: 'review.deleted',
      subject: evaluation_id,
      element: id,
      version,
    })
  }
}

/** From now on the evaluation cannot be found, and REMOVE_DELETED removes its rows. */
export async function hideEvaluation(transaction: Transaction, key: number): Promise<void> {
  await transaction.run(`UPDATE evaluation SET ${HIDE} WHERE key = ?`, key)
  await transaction.run('DELETE FROM evaluation_scores WHERE evaluation = ?', key)
}

/** Evaluations per transaction. PostgreSQL can hold a limited number of locks. */
const DELETE_BATCH_SIZE = 100

/** Deletes some evaluations of a project, without entries in the change log. Returns how many it deleted. */
export async function deleteEvaluationsOf(transaction: Transaction, project: number): Promise<number> {
  const rows = await transaction.all<{ key: number; id: string }>(
    'SELECT key, id FROM evaluation WHERE project = ? ORDER BY created_at, key LIMIT ?',
    project,
    DELETE_BATCH_SIZE,
  )
  // Waits for transactions that add scenarios.
  for (const { id } of rows) await transaction.lock('evaluation', project, id)
  return transaction.run(
    `UPDATE evaluation SET ${HIDE} WHERE key IN (${transaction.sql.integers})`,
    JSON.stringify(rows.map(({ key }) => key)),
  )
}
