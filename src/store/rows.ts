// The bodies at some positions of an evaluation, as texts: of a window of rows, which may be megabytes each.
import type { Connection } from './dialect/dialect.ts'
import { portions } from './elements.ts'
import { roomFor } from './rooms.ts'

/** So many are looked at together; so much of them is read at once. */
const AT_ONCE = 200
const PORTION_BYTES = 1024 * 1024

/** Bodies of this size are read at once, however many they are. */
const SMALL_BYTES = Math.floor(PORTION_BYTES / AT_ONCE)

/** No text of a database is larger, and none compares a size with a larger number. */
const ANY_SIZE = 2 ** 31 - 1

interface Found {
  position: number
  bytes: number
  /** Null where it is not small. */
  body: string | null
}

/** In the order of the positions, each of which has a scenario. */
export async function* readBodies(
  connection: Connection,
  evaluation: number,
  positions: Float64Array,
): AsyncGenerator<{ position: number; body: string }> {
  for (let at = 0; at < positions.length; at += AT_ONCE) {
    const chosen = [...positions.subarray(at, at + AT_ONCE)]
    const found = await findBodies(connection, evaluation, chosen, SMALL_BYTES)
    const sizeOf = (position: number) => found.get(position)?.bytes ?? 0
    for (const some of portions(chosen, sizeOf, PORTION_BYTES)) {
      const large = some.filter((position) => found.get(position)?.body == null)
      const others = large.length === 0 ? undefined : await findBodies(connection, evaluation, large)
      for (const position of some) {
        const body = found.get(position)?.body ?? others?.get(position)?.body
        if (body == null) throw new Error(`There is no scenario at the position ${position}`)
        yield { position, body }
      }
    }
  }
}

/** By position; `most`: the size up to which bodies are read. */
async function findBodies(
  connection: Connection,
  evaluation: number,
  positions: number[],
  most = ANY_SIZE,
): Promise<Map<number, Found>> {
  const { marks, values } = roomFor(positions)
  const rows = await connection.all<Found>(
    `SELECT position, octet_length(body) AS bytes, CASE WHEN octet_length(body) <= ? THEN body END AS body
     FROM scenario WHERE evaluation = ? AND position IN (${marks})`,
    most,
    evaluation,
    ...values,
  )
  return new Map(rows.map((row) => [row.position, row]))
}
