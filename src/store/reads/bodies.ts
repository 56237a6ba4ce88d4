// Reads the bodies of scenarios at given positions, in batches of limited size. One body can be several megabytes.
import type { Problem } from '../../errors.ts'
import type { Connection } from '../dialect/dialect.ts'
import { storeDamagedError } from '../dialect/errors.ts'
import { splitBySize } from './elements.ts'
import { inList, inLists } from './in-list.ts'

/** Positions per statement. */
const BATCH_SIZE = 200
/** Maximum size of the large bodies that are read at once. */
const BATCH_BYTES = 1024 * 1024

/** Bodies up to this size are read together with the sizes. */
export const MAX_SMALL_BYTES = Math.floor(BATCH_BYTES / BATCH_SIZE)

/** The largest integer that both engines compare with a length. No text is longer. */
const MAX_TEXT_BYTES = 2 ** 31 - 1

interface BodyRow {
  position: number
  bytes: number
  /** Null if it is larger than the limit. */
  body: string | null
}

/** Yields bodies in the order of the positions. Each position must have a scenario. */
export async function* readBodies(
  connection: Connection,
  evaluation: number,
  positions: Float64Array,
): AsyncGenerator<{ position: number; body: string }> {
  for (const { items: batch } of inLists<number>(positions, BATCH_SIZE)) {
    const bodies = await readBodyRows(connection, evaluation, batch, MAX_SMALL_BYTES)
    const sizeOf = (position: number) => bodies.get(position)?.bytes ?? 0
    for (const group of splitBySize(batch, sizeOf, BATCH_BYTES)) {
      const largePositions = group.filter((position) => bodies.get(position)?.body == null)
      const largeBodies =
        largePositions.length === 0 ? undefined : await readBodyRows(connection, evaluation, largePositions)
      for (const position of group) {
        const body = bodies.get(position)?.body ?? largeBodies?.get(position)?.body
        if (body == null) throw missingScenarioError(evaluation, position)
        yield { position, body }
      }
    }
  }
}

/** Rows by position. Bodies larger than `maxBytes` are not read. */
async function readBodyRows(
  connection: Connection,
  evaluation: number,
  positions: number[],
  maxBytes = MAX_TEXT_BYTES,
): Promise<Map<number, BodyRow>> {
  const { placeholders, values } = inList(positions)
  const rows = await connection.all<BodyRow>(
    `SELECT position, octet_length(body) AS bytes, CASE WHEN octet_length(body) <= ? THEN body END AS body
     FROM scenario WHERE evaluation = ? AND position IN (${placeholders})`,
    maxBytes,
    evaluation,
    ...values,
  )
  return new Map(rows.map((row) => [row.position, row]))
}

/** The position comes from a derived table of the same snapshot, so the scenario must exist. */
function missingScenarioError(evaluation: number, position: number): Problem {
  const reason = `table scenario: there is no row for evaluation ${evaluation}, position ${position}`
  return storeDamagedError(reason, undefined)
}
