// The bodies at some positions of an evaluation, one at a time: of a window of rows, which may be megabytes each.
import type { Connection } from './dialect/dialect.ts'

/** In the order of the positions, each of which has a scenario. */
export async function* readBodies(
  connection: Connection,
  evaluation: number,
  positions: Float64Array,
): AsyncGenerator<{ position: number; body: string }> {
  for (const position of positions) {
    const row = await connection.get<{ body: string }>(
      'SELECT body FROM scenario WHERE evaluation = ? AND position = ?',
      evaluation,
      position,
    )
    if (!row) throw new Error(`There is no scenario at ${position}`)
    yield { position, body: row.body }
  }
}
