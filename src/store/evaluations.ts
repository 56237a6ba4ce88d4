// Evaluations: found by id, listed newest first, added, changed, deleted.
import { storable } from '../json/storable.ts'
import type { EvaluationPatch, EvaluationWrite } from '../schema/evaluations.ts'
import { isId, mintId, mintVersion } from '../schema/ids.ts'
import { EVALUATION_FILTERS } from '../schema/list-filters.ts'
import { normaliseTime } from '../schema/times.ts'
import { type Written, written } from '../schema/written.ts'
import { addOnce, creationDigest } from './creations.ts'
import type { Connection, Transaction } from './dialect/dialect.ts'
import type { Size } from './elements.ts'
import type { NewestFirst } from './lists.ts'
import { notFound, refuseAbsent, refuseForeign, refuseUncovered, type Viewer } from './projects.ts'
import { checkReferences } from './references.ts'
import { getScenarioColumns, lastPosition } from './scenarios.ts'

/** What the read of an evaluation's scenarios needs to know of it. */
export interface EvaluationHead extends Size {
  key: number
  version: string
}

export const FIND_EVALUATION = `SELECT key, version, scenario_count AS count, body_bytes AS bytes
  FROM evaluation WHERE project = ? AND id = ?`

/** Throws evaluation-not-found, or access-denied where the id exists and is not open to the viewer. */
export async function getEvaluation(
  connection: Connection,
  viewer: Viewer,
  id: string,
): Promise<EvaluationHead> {
  if (!isId(id)) throw notFound(viewer, 'evaluation', id)
  await refuseUncovered(connection, viewer, 'evaluation', id)
  const head = await connection.get<EvaluationHead>(FIND_EVALUATION, viewer.project, id)
  return head ?? refuseAbsent(connection, viewer, 'evaluation', id)
}

/** The same for a change: until the transaction ends nobody else changes it. */
export async function takeEvaluation(
  transaction: Transaction,
  viewer: Viewer,
  id: string,
): Promise<EvaluationHead> {
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
  /** JSON texts, spliced into the answer as they are. */
  evaluators: string | null
  metadata: string | null
}

const COLUMNS =
  'id, name, variant_id, revision, baseline_id, source, created_at, scenario_count, evaluators, metadata'

export const EVALUATIONS: NewestFirst<EvaluationRow> = {
  table: 'evaluation',
  columns: COLUMNS,
  filters: EVALUATION_FILTERS,
  element({ id, name, variant_id, revision, baseline_id, source, created_at, scenario_count, ...texts }) {
    const plain = { id, name, variant_id, revision, baseline_id, source, created_at, scenario_count }
    const members = JSON.stringify(plain).slice(0, -1)
    return `${members},"evaluators":${texts.evaluators ?? 'null'},"metadata":${texts.metadata ?? 'null'}}`
  },
}

/** The JSON text of one evaluation. */
export async function getEvaluationText(connection: Connection, key: number): Promise<string> {
  const row = await connection.get<EvaluationRow>(`SELECT ${COLUMNS} FROM evaluation WHERE key = ?`, key)
  if (!row) throw new Error(`The evaluation with the key ${key} is not there`)
  return EVALUATIONS.element(row)
}

/** Throws like getEvaluation, but for an id that is nowhere: then there is nothing in the way of making it. */
export async function findEvaluation(
  connection: Connection,
  viewer: Viewer,
  id: string,
): Promise<EvaluationHead | undefined> {
  if (!isId(id)) throw notFound(viewer, 'evaluation', id)
  await refuseUncovered(connection, viewer, 'evaluation', id)
  const head = await connection.get<EvaluationHead>(FIND_EVALUATION, viewer.project, id)
  if (head) return head
  await refuseForeign(connection, viewer, 'evaluation', id)
  return undefined
}

/** The key of an evaluation that scenarios are sent to. Where it is not there it is made: named after its id. */
export async function ensureEvaluation(
  transaction: Transaction,
  viewer: Viewer,
  id: string,
  evaluation: Written<EvaluationWrite> = written({ name: id }),
): Promise<number> {
  await transaction.lock('evaluation', viewer.project, id)
  const head = await findEvaluation(transaction, viewer, id)
  return head?.key ?? insertEvaluation(transaction, viewer.project, id, evaluation, null)
}

/**
 * Adds an evaluation without scenarios and returns its key. A repeat of what made it changes nothing; throws
 * conflict where the id holds something else, and invalid-content where it names a revision that is not there.
 */
export async function addEvaluation(
  transaction: Transaction,
  project: number,
  evaluation: Written<EvaluationWrite>,
): Promise<number> {
  const id = evaluation.value.id ?? mintId()
  const digest = creationDigest(evaluation.texts)
  return addOnce(transaction, project, 'evaluation', id, digest, async () => {
    await checkReferences(transaction, project, evaluation.value)
    return insertEvaluation(transaction, project, id, evaluation, digest)
  })
}

async function insertEvaluation(
  transaction: Transaction,
  project: number,
  id: string,
  evaluation: Written<EvaluationWrite>,
  digest: Uint8Array | null,
): Promise<number> {
  const columns = { created_at: new Date().toISOString(), ...columnsOf(evaluation) }
  const names = Object.keys(columns)
  const row = await transaction.get<{ key: number }>(
    `INSERT INTO evaluation (project, id, version, digest, ${names.join(', ')})
     VALUES (?, ?, ?, ?, ${names.map(() => '?').join(', ')}) RETURNING key`,
    project,
    id,
    mintVersion(),
    digest,
    ...Object.values(columns),
  )
  if (!row) throw new Error('INSERT … RETURNING gave no row')
  return row.key
}

/** What is stored of the members that are given. */
function columnsOf({ value, texts }: Written<EvaluationWrite>): Record<string, string | number | null> {
  const created_at = normaliseTime(value.created_at ?? '')
  const columns = {
    name: keptText(value.name),
    variant_id: value.variant_id,
    revision: value.revision,
    baseline_id: value.baseline_id,
    source: keptText(value.source),
    created_at,
    evaluators: texts.has('evaluators') ? keptJson(texts, 'evaluators') : undefined,
    metadata: texts.has('metadata') ? keptJson(texts, 'metadata') : undefined,
  }
  const given = Object.entries(columns).filter(([, column]) => column !== undefined)
  return Object.fromEntries(given) as Record<string, string | number | null>
}

/** The revision that an evaluation ran, if it names one. */
export async function findRevisionOf(
  connection: Connection,
  key: number,
): Promise<{ variant_id: string; revision: number } | undefined> {
  return connection.get(
    'SELECT variant_id, revision FROM evaluation WHERE key = ? AND variant_id IS NOT NULL AND revision IS NOT NULL',
    key,
  )
}

/** The members that are given and are not what is stored. */
export async function findDifferences(
  connection: Connection,
  key: number,
  evaluation: Written<EvaluationWrite>,
): Promise<string[]> {
  const stored = await connection.get<Record<string, unknown>>(
    `SELECT ${COLUMNS} FROM evaluation WHERE key = ?`,
    key,
  )
  return Object.entries(columnsOf(evaluation))
    .filter(([name, column]) => stored?.[name] !== column)
    .map(([name]) => name)
}

function keptText(text: string | null | undefined): string | null | undefined {
  return typeof text === 'string' ? storable(text) : text
}

function keptJson(texts: ReadonlyMap<string, string>, name: string): string | null {
  const text = texts.get(name) ?? 'null'
  return text === 'null' ? null : text
}

/** Sets the members that are given, null ones to nothing. Throws invalid-content like addEvaluation. */
export async function changeEvaluation(
  transaction: Transaction,
  project: number,
  key: number,
  { value, texts }: Written<EvaluationPatch>,
): Promise<void> {
  if (texts.size === 0) return
  if (value.variant_id !== undefined || value.revision !== undefined) {
    const there = await transaction.get<Pick<EvaluationRow, 'variant_id' | 'revision'>>(
      'SELECT variant_id, revision FROM evaluation WHERE key = ?',
      key,
    )
    await checkReferences(transaction, project, { ...there, ...value })
  }
  const columns = Object.entries({ ...columnsOf({ value, texts }), version: mintVersion() })
  await transaction.run(
    `UPDATE evaluation SET ${columns.map(([name]) => `${name} = ?`).join(', ')} WHERE key = ?`,
    ...columns.map(([, column]) => column),
    key,
  )
}

/** So many positions go at once: the time that one statement takes is bounded. */
const DELETED_AT_ONCE = 10_000

/** With its scenarios and everything derived from them. */
export async function deleteEvaluation(transaction: Transaction, key: number): Promise<void> {
  const last = await lastPosition(transaction, key)
  const columns = await getScenarioColumns(transaction, key)
  for (let end = DELETED_AT_ONCE; end <= last; end += DELETED_AT_ONCE) {
    // Results and inputs lie by evaluator and by name: without it each step would look at all of them.
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
