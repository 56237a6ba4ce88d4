// SQL IN lists. They have a few fixed sizes, so that prepared statements are reused.
import type { Connection, Value } from '../dialect/dialect.ts'

const LIST_SIZES = [1, 10, 50, 200, 1000]

/** Fills an empty list. No row has this position. */
const NO_POSITION = -1

export interface InList<Item> {
  /** For `IN (…)`. */
  placeholders: string
  /** One value for each placeholder: the items, and the last item again to fill the list. */
  values: Item[]
}

/** An empty list must be a list of positions. */
export function inList<Item extends Value>(items: Item[]): InList<Item> {
  const size = LIST_SIZES.find((size) => size >= items.length) ?? items.length
  const values = items.concat(Array(size - items.length).fill(items.at(-1) ?? NO_POSITION))
  return { placeholders: values.map(() => '?').join(', '), values }
}

/** Lists of at most `maxLength` items each, in order. */
export function* inLists<Item extends Value>(
  items: readonly Item[] | Float64Array,
  maxLength: number,
): Generator<InList<Item> & { items: Item[] }> {
  for (let start = 0; start < items.length; start += maxLength) {
    const batch = [...items.slice(start, start + maxLength)] as Item[]
    yield { items: batch, ...inList(batch) }
  }
}

/** Positions per statement. */
const MAX_POSITIONS = 1000

/**
 * The rows of an evaluation at these positions, by position. Positions without a row are omitted. `table` can be a join by
 * `USING (evaluation, position)`.
 */
export async function readRowsAt<Row extends object>(
  connection: Connection,
  table: string,
  columns: string,
  evaluation: number,
  positions: readonly number[],
): Promise<Map<number, Row & { position: number }>> {
  const rowsByPosition = new Map<number, Row & { position: number }>()
  for (const { placeholders, values } of inLists(positions, MAX_POSITIONS)) {
    const rows = await connection.all<Row & { position: number }>(
      `SELECT position, ${columns} FROM ${table} WHERE evaluation = ? AND position IN (${placeholders})`,
      evaluation,
      ...values,
    )
    for (const row of rows) rowsByPosition.set(row.position, row)
  }
  return rowsByPosition
}
