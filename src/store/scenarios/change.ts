// Replaces and deletes stored scenarios, with the rows of the tables that are derived from them.
import type { Connection, Transaction } from '../dialect/dialect.ts'
import { readBodies } from '../reads/bodies.ts'
import { ColumnWriter, parseBody } from './columns.ts'
import { columnNames } from './derived-columns.ts'
import { deleteAtPositions, deleteDerived, insertDerived } from './derived-rows.ts'
import { rowFromStored, rowScores, scenarioScores } from './row.ts'
import { getNextPosition, recordContentChange, type StoredScenario } from './scenarios.ts'
import { adoptStaged, stageEvaluation } from './staged-evaluation.ts'

/** A stored scenario and the texts that replace its own. */
export interface Replacement {
  stored: StoredScenario
  body: string
  extra: string | null
}

/** The row exists, so this never inserts one. As an INSERT it can be sent in batches on both engines. */
const REPLACE_SCENARIO = `INSERT INTO scenario (evaluation, position, id, body, extra, digest)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (evaluation, position) DO UPDATE
  SET body = excluded.body, extra = excluded.extra, digest = excluded.digest`

/** Values: evaluation, and the positions as a JSON array. */
const KEEP_FIRST_DIGESTS = (integers: string) => `INSERT INTO first_digest (evaluation, position, digest)
  SELECT evaluation, position, digest FROM scenario WHERE evaluation = ? AND position IN (${integers})
  ON CONFLICT (evaluation, position) DO NOTHING`

export interface ReplacedTexts {
  position: number
  id: string
  body: string
  extra: string | null
  digest: Uint8Array
}

/** Replaces the texts of scenarios, but not their derived rows. Each position can occur once. */
export async function replaceTexts(
  transaction: Transaction,
  evaluation: number,
  rows: ReplacedTexts[],
): Promise<void> {
  await transaction.run(
    KEEP_FIRST_DIGESTS(transaction.sql.integers),
    evaluation,
    JSON.stringify(rows.map(({ position }) => position)),
  )
  await transaction.runMany([
    REPLACE_SCENARIO,
    rows.map(({ position, id, body, extra, digest }) => [evaluation, position, id, body, extra, digest]),
  ])
}

/** Replaces scenarios, which keep their ids and positions. Returns how many more bytes the bodies have. */
export async function replaceScenarios(
  transaction: Transaction,
  evaluation: { key: number; id: string },
  columns: ColumnWriter,
  replacements: Replacement[],
): Promise<number> {
  const { key } = evaluation
  const rows = replacements.map(({ stored: { position }, body, extra }) => ({
    ...rowFromStored(evaluation.id, body, extra),
    position,
  }))
  await replaceTexts(transaction, key, rows)
  await removeFromDerived(
    transaction,
    key,
    columns,
    replacements.map(({ stored }) => stored),
  )
  columns.countRows(
    rows.map(({ names }) => names),
    1,
  )
  for (const row of rows) columns.scores.addRow(rowScores(row))
  await insertDerived(transaction, key, columns.ordinals, rows)
  return replacements.reduce(
    (sum, { stored, body }) => sum + Buffer.byteLength(body) - Buffer.byteLength(stored.body),
    0,
  )
}

/** Deletes scenarios. */
export async function deleteScenarios(
  transaction: Transaction,
  evaluation: number,
  columns: ColumnWriter,
  scenarios: StoredScenario[],
): Promise<void> {
  const positions = scenarios.map(({ position }) => position)
  await removeFromDerived(transaction, evaluation, columns, scenarios)
  for (const table of ['generated_id', 'first_digest', 'scenario'])
    await deleteAtPositions(transaction, table, evaluation, positions)
}

async function removeFromDerived(
  transaction: Transaction,
  evaluation: number,
  columns: ColumnWriter,
  scenarios: StoredScenario[],
): Promise<void> {
  const rows = scenarios.map(({ position, body }) => {
    const scenario = parseBody(body)
    columns.scores.removeRow(scenarioScores(scenario))
    return { position, names: columnNames(scenario) }
  })
  await deleteDerived(transaction, evaluation, columns.ordinals, rows)
  columns.countRows(
    rows.map(({ names }) => names),
    -1,
  )
}

/** Maximum number of scenarios, and about the maximum size of their texts, that are deleted at once. */
const BATCH_SIZE = 200
const MAX_BATCH_BYTES = 1024 * 1024

export interface Deletion {
  evaluation: number
  /** The positions of the scenarios, which must exist. */
  positions: Float64Array
}

/** `count` is the number of all scenarios of the evaluation, which the caller must have locked. */
export async function deleteScenariosAt(
  transaction: Transaction,
  deletion: Deletion,
  count: number,
): Promise<void> {
  const { evaluation, positions } = deletion
  if (positions.length === 0) return
  if (positions.length === count) return deleteAll(transaction, evaluation, count)
  await deleteInBatches(transaction, deletion)
}

const changeOf = (count: number) => ({ action: 'scenario.deleted', counts: { scenarios: count } }) as const

/** The rows are removed in the background, as those of a deleted evaluation. */
async function deleteAll(transaction: Transaction, evaluation: number, count: number): Promise<void> {
  const staged = await stageEvaluation(transaction, evaluation)
  const columns = await ColumnWriter.begin(transaction, staged)
  await columns.finish()
  // Positions are not used again, so that the cursor of a page stays valid.
  const nextPosition = await getNextPosition(transaction, evaluation)
  const content = { count: 0, bytes: 0, nextPosition }
  await adoptStaged(transaction, { key: evaluation, staged }, changeOf(count), content)
}

async function deleteInBatches(transaction: Transaction, { evaluation, positions }: Deletion): Promise<void> {
  const columns = await ColumnWriter.begin(transaction, evaluation)
  let bytes = 0
  for await (const scenarios of readBatches(transaction, evaluation, positions)) {
    await deleteScenarios(transaction, evaluation, columns, scenarios)
    for (const { body } of scenarios) bytes -= Buffer.byteLength(body)
  }
  await columns.finish()
  const sizes = { count: -positions.length, bytes }
  await recordContentChange(transaction, evaluation, changeOf(positions.length), sizes)
}

/** Without extra data, which nothing is derived from that a deletion needs. */
async function* readBatches(
  connection: Connection,
  evaluation: number,
  positions: Float64Array,
): AsyncGenerator<StoredScenario[]> {
  let [batch, bytes]: [StoredScenario[], number] = [[], 0]
  for await (const { position, body } of readBodies(connection, evaluation, positions)) {
    batch.push({ position, body, extra: null })
    bytes += Buffer.byteLength(body)
    if (batch.length < BATCH_SIZE && bytes < MAX_BATCH_BYTES) continue
    yield batch
    ;[batch, bytes] = [[], 0]
  }
  if (batch.length > 0) yield batch
}
