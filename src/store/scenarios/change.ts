// Replaces and deletes stored scenarios, with the rows of the tables that are derived from them.
import type { Transaction } from '../dialect/dialect.ts'
import { type ColumnWriter, parseBody } from './columns.ts'
import { columnNames } from './derived-columns.ts'
import { deleteAtPositions, deleteDerived, insertDerived } from './derived-rows.ts'
import { rowFromStored } from './row.ts'
import { rowScores, scenarioScores } from './row-scores.ts'
import type { StoredScenario } from './scenarios.ts'

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
  columns.addRows(rows.map(({ names }) => names))
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
  columns.removeRows(rows.map(({ names }) => names))
}
