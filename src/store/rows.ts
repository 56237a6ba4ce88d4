// The bodies at some positions of an evaluation, as texts: of a window of rows, which may be megabytes each.
import type { Connection } from './dialect/dialect.ts'
import { portions } from './elements.ts'
import { roomFor } from './rooms.ts'

/** So many are looked at together; so much of them is read at once. */
const AT_ONCE = 200
const PORTION_BYTES = 1024 * 1024

/** In the order of the positions, each of which has a scenario. */
export async function* readBodies(
  connection: Connection,
  evaluation: number,
  positions: Float64Array,
): AsyncGenerator<{ position: number; body: string }> {
  for (let at = 0; at < positions.length; at += AT_ONCE) {
    const chosen = [...positions.subarray(at, at + AT_ONCE)]
    const sizes = await readAt<number>(connection, evaluation, chosen, 'octet_length(body)')
    for (const some of portions(chosen, (position) => sizes.get(position) ?? 0, PORTION_BYTES)) {
      const bodies = await readAt<string>(connection, evaluation, some, 'body')
      for (const position of some) {
        const body = bodies.get(position)
        if (body === undefined) throw new Error(`There is no scenario at the position ${position}`)
        yield { position, body }
      }
    }
  }
}

/** What is asked of the scenarios at these positions, by position. */
async function readAt<Column>(
  connection: Connection,
  evaluation: number,
  positions: number[],
  column: string,
): Promise<Map<number, Column>> {
  const { marks, values } = roomFor(positions)
  const rows = await connection.all<{ position: number; found: Column }>(
    `SELECT position, ${column} AS found FROM scenario WHERE evaluation = ? AND position IN (${marks})`,
    evaluation,
    ...values,
  )
  return new Map(rows.map(({ position, found }) => [position, found]))
}
