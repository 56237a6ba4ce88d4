// Evaluations: find by id, list newest first, create, update and delete.
import { toStorableText } from '../../json/storable-text.ts'
import type { EvaluationPatch, EvaluationWrite } from '../../schema/evaluations.ts'
import { EVALUATION_FILTERS } from '../../schema/filters/list-filters.ts'
import { generateId, generateVersion, isId } from '../../schema/ids.ts'
import { normalizeTime } from '../../schema/times.ts'
import { type ParsedValue, parsedValue } from '../../schema/validation/parsed-value.ts'
import {
  notFoundError,
  rejectOtherProject,
  rejectOutsideRestriction,
  throwNotFound,
  type Viewer,
} from '../access/projects.ts'
import { checkReferences } from '../access/references.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'
import type { Size } from '../reads/elements.ts'
import type { ListTable } from '../reads/lists.ts'
import { getLastPosition, getScenarioColumns } from '../scenarios/scenarios.ts'
import { computeCreationDigest, createOnce } from './create-once.ts'

/** The key, version and size of an evaluation. */
export interface EvaluationInfo extends Size {
  key: number
  version: string
}

export const FIND_EVALUATION = `SELECT key, version, scenario_count AS count, body_bytes AS bytes
  FROM evaluation WHERE project = ? AND id = ?`

/** Throws evaluation-not-found, or access-denied if the viewer cannot access the evaluation. */
export async function getEvaluation(
  connection: Connection,
  viewer: Viewer,
  id: string,
): Promise<EvaluationInfo> {
  if (!isId(id)) throw notFoundError(viewer, 'evaluation', id)
  await rejectOutsideRestriction(connection, viewer, 'evaluation', id)
  const info = await connection.get<EvaluationInfo>(FIND_EVALUATION, viewer.project, id)
  return info ?? throwNotFound(connection, viewer, 'evaluation', id)
}

/** Like getEvaluation, and locks the evaluation until the transaction ends. */
export async function lockEvaluation(
  transaction: Transaction,
  viewer: Viewer,
  id: string,
): Promise<EvaluationInfo> {
  await transaction.lock('evaluation', viewer.project, id)
  return getEvaluation(transaction, viewer, id)
}

interface EvaluationRow {
  id: string
  name: string | null
  variant_id: string | null
  revision: number | null
  baseline_id: string | null
  source: string | null
  created_at: string
  scenario_count: number
  /** JSON texts, inserted into the response unchanged. */
  evaluators: string | null
  metadata: string | null
}

const COLUMNS =
  'id, name, variant_id, revision, baseline_id, source, created_at, scenario_count, evaluators, metadata'

export const EVALUATIONS: ListTable<EvaluationRow> = {
  table: 'evaluation',
  columns: COLUMNS,
  filters: EVALUATION_FILTERS,
  element({ id, name, variant_id, revision, baseline_id, source, created_at, scenario_count, ...texts }) {
    const scalars = { id, name, variant_id, revision, baseline_id, source, created_at, scenario_count }
    const members = JSON.stringify(scalars).slice(0, -1)
    return `${members},"evaluators":${texts.evaluators ?? 'null'},"metadata":${texts.metadata ?? 'null'}}`
  },
}

/** The JSON text of one evaluation. */
export async function getEvaluationText(connection: Connection, key: number): Promise<string> {
  const row = await connection.get<EvaluationRow>(`SELECT ${COLUMNS} FROM evaluation WHERE key = ?`, key)
  if (!row) throw new Error(`The evaluation with the key ${key} does not exist`)
  return EVALUATIONS.element(row)
}

/** Like getEvaluation, but returns undefined if no evaluation has the id, so that it can be created. */
export async function findEvaluation(
  connection: Connection,
  viewer: Viewer,
  id: string,
): Promise<EvaluationInfo | undefined> {
  if (!isId(id)) throw notFoundError(viewer, 'evaluation', id)
  await rejectOutsideRestriction(connection, viewer, 'evaluation', id)
  const info = await connection.get<EvaluationInfo>(FIND_EVALUATION, viewer.project, id)
  if (info) return info
  await rejectOtherProject(connection, viewer, 'evaluation', id)
  return undefined
}

/** Returns the key of an evaluation, and creates it with its id as the name if it does not exist. */
export async function ensureEvaluation(
  transaction: Transaction,
  viewer: Viewer,
  id: string,
  evaluation: ParsedValue<EvaluationWrite> = parsedValue({ name: id }),
): Promise<number> {
  await transaction.lock('evaluation', viewer.project, id)
  const info = await findEvaluation(transaction, viewer, id)
  return info?.key ?? insertEvaluation(transaction, viewer.project, id, evaluation, null)
}

/**
 * Creates an evaluation without scenarios and returns its key. A repeated request changes nothing. Throws conflict if
 * the id exists with different content, and invalid-content if the named revision does not exist.
 */
export async function createEvaluation(
  transaction: Transaction,
  project: number,
  evaluation: ParsedValue<EvaluationWrite>,
): Promise<number> {
  const id = evaluation.value.id ?? generateId()
  const digest = computeCreationDigest(evaluation.memberTexts)
  return createOnce(transaction, project, 'evaluation', id, digest, async () => {
    await checkReferences(transaction, project, evaluation.value)
    return insertEvaluation(transaction, project, id, evaluation, digest)
  })
}

async function insertEvaluation(
  transaction: Transaction,
  project: number,
  id: string,
  evaluation: ParsedValue<EvaluationWrite>,
  digest: Uint8Array | null,
): Promise<number> {
  const columns = { created_at: new Date().toISOString(), ...toColumns(evaluation) }
  const names = Object.keys(columns)
  const row = await transaction.get<{ key: number }>(
    `INSERT INTO evaluation (project, id, version, digest, ${names.join(', ')})
     VALUES (?, ?, ?, ?, ${names.map(() => '?').join(', ')}) RETURNING key`,
    project,
    id,
    generateVersion(),
    digest,
    ...Object.values(columns),
  )
  if (!row) throw new Error('INSERT … RETURNING returned no row')
  return row.key
}

/** The column values of the members that are present. */
function toColumns({
  value,
  memberTexts,
}: ParsedValue<EvaluationWrite>): Record<string, string | number | null> {
  const created_at = normalizeTime(value.created_at ?? '')
  const columns = {
    name: toStorableTextOrNull(value.name),
    variant_id: value.variant_id,
    revision: value.revision,
    baseline_id: value.baseline_id,
    source: toStorableTextOrNull(value.source),
    created_at,
    evaluators: memberTexts.has('evaluators') ? jsonOrNull(memberTexts, 'evaluators') : undefined,
    metadata: memberTexts.has('metadata') ? jsonOrNull(memberTexts, 'metadata') : undefined,
  }
  const presentColumns = Object.entries(columns).filter(([, column]) => column !== undefined)
  return Object.fromEntries(presentColumns) as Record<string, string | number | null>
}

/** The revision that the evaluation ran, if it names one. */
export async function findRevisionOf(
  connection: Connection,
  key: number,
): Promise<{ variant_id: string; revision: number } | undefined> {
  return connection.get(
    'SELECT variant_id, revision FROM evaluation WHERE key = ? AND variant_id IS NOT NULL AND revision IS NOT NULL',
    key,
  )
}

/** The names of the present members that differ from the stored ones. */
export async function findDifferingMembers(
  connection: Connection,
  key: number,
  evaluation: ParsedValue<EvaluationWrite>,
): Promise<string[]> {
  const stored = await connection.get<Record<string, unknown>>(
    `SELECT ${COLUMNS} FROM evaluation WHERE key = ?`,
    key,
  )
  return Object.entries(toColumns(evaluation))
    .filter(([name, column]) => stored?.[name] !== column)
    .map(([name]) => name)
}

function toStorableTextOrNull(text: string | null | undefined): string | null | undefined {
  return typeof text === 'string' ? toStorableText(text) : text
}

function jsonOrNull(memberTexts: ReadonlyMap<string, string>, name: string): string | null {
  const text = memberTexts.get(name) ?? 'null'
  return text === 'null' ? null : text
}

/** Updates the present members; null clears a member. Throws invalid-content like createEvaluation. */
export async function updateEvaluation(
  transaction: Transaction,
  project: number,
  key: number,
  { value, memberTexts }: ParsedValue<EvaluationPatch>,
): Promise<void> {
  if (memberTexts.size === 0) return
  if (value.variant_id !== undefined || value.revision !== undefined) {
    const stored = await transaction.get<Pick<EvaluationRow, 'variant_id' | 'revision'>>(
      'SELECT variant_id, revision FROM evaluation WHERE key = ?',
      key,
    )
    await checkReferences(transaction, project, { ...stored, ...value })
  }
  const columns = Object.entries({ ...toColumns({ value, memberTexts }), version: generateVersion() })
  await transaction.run(
    `UPDATE evaluation SET ${columns.map(([name]) => `${name} = ?`).join(', ')} WHERE key = ?`,
    ...columns.map(([, column]) => column),
    key,
  )
}

/** Positions per DELETE statement, to bound the duration of each statement. */
const DELETE_BATCH_SIZE = 10_000

/** Deletes an evaluation with its scenarios and derived rows. */
export async function deleteEvaluation(transaction: Transaction, key: number): Promise<void> {
  const lastPosition = await getLastPosition(transaction, key)
  const columns = await getScenarioColumns(transaction, key)
  for (let end = DELETE_BATCH_SIZE; end <= lastPosition; end += DELETE_BATCH_SIZE) {
    // In the primary keys of result and input, the ordinal precedes the position, so each ordinal needs a statement.
    for (const ordinal of columns.score.keys())
      await transaction.run(
        'DELETE FROM result WHERE evaluation = ? AND evaluator = ? AND position < ?',
        key,
        ordinal,
        end,
      )
    for (const ordinal of columns.input.keys())
      await transaction.run(
        'DELETE FROM input WHERE evaluation = ? AND input = ? AND position < ?',
        key,
        ordinal,
        end,
      )
    for (const table of ['measure', 'search', 'scenario']) {
      await transaction.run(`DELETE FROM ${table} WHERE evaluation = ? AND position < ?`, key, end)
    }
  }
  await transaction.run('DELETE FROM evaluation WHERE key = ?', key)
}
