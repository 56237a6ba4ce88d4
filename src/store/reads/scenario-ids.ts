// Reads the ids of scenarios at given positions.
import type { Connection } from '../dialect/dialect.ts'
import { inLists } from './in-list.ts'

/** Positions per statement. */
const BATCH_SIZE = 1000

/** The ids by position. Positions without a scenario are omitted. */
export async function readScenarioIds(
  connection: Connection,
  evaluation: number,
  positions: readonly number[],
): Promise<Map<number, string>> {
  const ids = new Map<number, string>()
  for (const { placeholders, values } of inLists(positions, BATCH_SIZE)) {
    const rows = await connection.all<{ position: number; id: string }>(
      `SELECT position, id FROM scenario WHERE evaluation = ? AND position IN (${placeholders})`,
      evaluation,
      ...values,
    )
    for (const { position, id } of rows) ids.set(position, id)
  }
  return ids
}
