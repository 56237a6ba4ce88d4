// Deletes many scenarios of an evaluation in one transaction.
import type { Connection, Transaction } from '../dialect/dialect.ts'
import { splitBySize } from '../reads/elements.ts'
import { inList, inLists } from '../reads/in-list.ts'
import { deleteScenarios } from '../scenarios/change.ts'
import { ColumnWriter } from '../scenarios/columns.ts'
import { getNextPosition, recordContentChange, type StoredScenario } from '../scenarios/scenarios.ts'
import { adoptStaged, stageEvaluation } from './staged-evaluation.ts'

/** Maximum number of scenarios, and maximum size of their texts, that are read at once. */
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
  for (const { placeholders, values } of inLists<number>(positions, BATCH_SIZE)) {
    const sizes = await connection.all<{ position: number; bytes: number }>(
      `SELECT position, octet_length(body) AS bytes FROM scenario
       WHERE evaluation = ? AND position IN (${placeholders})`,
      evaluation,
      ...values,
    )
    for (const group of splitBySize(sizes, ({ bytes }) => bytes, MAX_BATCH_BYTES)) {
      const { placeholders, values } = inList(group.map(({ position }) => position))
      yield await connection.all<StoredScenario>(
        `SELECT position, body, NULL AS extra FROM scenario
         WHERE evaluation = ? AND position IN (${placeholders})`,
        evaluation,
        ...values,
      )
    }
  }
}
