// Reads the ids of scenarios at given positions.
import type { Connection } from '../dialect/dialect.ts'
import { readRowsAt } from './in-list.ts'

/** The ids by position. Positions without a scenario are omitted. */
export async function readScenarioIds(
  connection: Connection,
  evaluation: number,
  positions: readonly number[],
): Promise<Map<number, string>> {
  const rows = await readRowsAt<{ id: string }>(connection, 'scenario', 'id', evaluation, positions)
  return new Map([...rows].map(([position, { id }]) => [position, id]))
}
