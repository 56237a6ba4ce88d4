// Reads the bodies of scenarios, or their extra data, at given positions, in batches of limited size. One body can be several megabytes.
import type { Problem } from '../../errors.ts'
import type { Connection } from '../dialect/dialect.ts'
import { storeDamagedError } from '../dialect/errors.ts'
import { splitBySize } from './elements.ts'
import { inLists, readRowsAt } from './in-list.ts'

/** Positions per statement. */
const BATCH_SIZE = 200
/** Maximum size of the large bodies that are read at once. */
const BATCH_BYTES = 1024 * 1024

/** Bodies up to this size are read together with the sizes. */
export const MAX_SMALL_BYTES = Math.floor(BATCH_BYTES / BATCH_SIZE)

const TEXTS = { body: 'body', extra: `coalesce(extra, '{}')` }

const smallTexts = (text: string) =>
  `octet_length(${text}) AS bytes, CASE WHEN octet_length(${text}) <= ${MAX_SMALL_BYTES} THEN ${text} END AS body`

interface BodyRow {
  bytes: number
  /** Null if it is large and was not read. */
  body: string | null
}

/**
 * Yields bodies, or the extra data, in the order of the positions. Each position must have a scenario. Without extra data,
 * its text is an empty object.
 */
export async function* readBodies(
  connection: Connection,
  evaluation: number,
  positions: Float64Array,
  member: keyof typeof TEXTS = 'body',
): AsyncGenerator<{ position: number; body: string }> {
  for (const { items: batch } of inLists<number>(positions, BATCH_SIZE)) {
    const read = (columns: string, positions: number[]) =>
      readRowsAt<BodyRow>(connection, 'scenario', columns, evaluation, positions)
    const bodies = await read(smallTexts(TEXTS[member]), batch)
    const sizeOf = (position: number) => bodies.get(position)?.bytes ?? 0
    for (const group of splitBySize(batch, sizeOf, BATCH_BYTES)) {
      const largePositions = group.filter((position) => bodies.get(position)?.body == null)
      const largeBodies = await read(`${TEXTS[member]} AS body`, largePositions)
      for (const position of group) {
        const body = bodies.get(position)?.body ?? largeBodies.get(position)?.body
        if (body == null) throw missingScenarioError(evaluation, position)
        yield { position, body }
      }
    }
  }
}

/** The position comes from a derived table of the same snapshot, so the scenario must exist. */
function missingScenarioError(evaluation: number, position: number): Problem {
  const reason = `table scenario: there is no row for evaluation ${evaluation}, position ${position}`
  return storeDamagedError(reason, undefined)
}
