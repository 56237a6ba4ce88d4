// Sorts joined rows and returns their row numbers. The order refers to the row of the first candidate; rows without a
// value come last, and row numbers break ties.
import { toStorableText } from '../../json/storable-text.ts'
import type { Order } from '../../schema/filters/row-filters.ts'
import type { BoundSql } from '../query/filters.ts'
import { type JoinedColumns, NO_ROW, type PairIndex } from './joined-columns.ts'
import { deltaLookup } from './row-classes.ts'

/** `change` sorts by absolute score difference, largest first. */
export type JoinedOrder = Order | { by: 'change'; name: string }

export async function orderJoined(columns: JoinedColumns, order: JoinedOrder): Promise<Int32Array> {
  const { ordered } = await columns.cached(`ordered ${JSON.stringify(order)}`, async () => ({
    ordered: await findOrder(columns, order),
  }))
  return ordered
}

async function findOrder(columns: JoinedColumns, order: JoinedOrder): Promise<Int32Array> {
  const pairIndex = await columns.pairIndex(0)
  if (order.by === 'position') return byPosition(pairIndex, order.direction)
  const valued =
    order.by === 'change' || order.by === 'delta'
      ? await byDelta(columns, pairIndex, order)
      : await byValue(columns, pairIndex, order)
  const hasValue = new Uint8Array(columns.size)
  for (const row of valued) hasValue[row] = 1
  const rest = byPosition(pairIndex, 'asc').filter((row) => hasValue[row] === 0)
  return concatenate(valued, rest)
}

/** Rows that only the candidate has come last in both directions. */
function byPosition(
  { candidatePositions, rowNumbers }: PairIndex,
  direction: Order['direction'],
): Int32Array {
  const baseline = Int32Array.from(candidatePositions.keys())
  const others = rowNumbers.filter((row) => row >= candidatePositions.length)
  return concatenate(direction === 'asc' ? baseline : baseline.reverse(), others)
}

async function byDelta(
  columns: JoinedColumns,
  { candidatePositions }: PairIndex,
  order: JoinedOrder,
): Promise<Int32Array> {
  const evaluator = toStorableText(order.name)
  const deltaOf = await deltaLookup(columns, columns.first, evaluator)
  const values = Float64Array.from(candidatePositions, (candidate, baseline) => {
    const delta = deltaOf(baseline, candidate)
    if (order.by === 'change') return -Math.abs(delta)
    if (!Number.isFinite(delta)) return Number.NaN
    return order.by === 'delta' && order.direction === 'desc' ? -delta : delta
  })
  const valued = Int32Array.from(values.keys()).filter((row) => !Number.isNaN(values[row]))
  return valued.sort((a, b) => {
    const [first, second] = [values[a] as number, values[b] as number]
    return first === second ? a - b : first - second
  })
}

async function byValue(
  columns: JoinedColumns,
  { rowNumbers }: PairIndex,
  order: JoinedOrder,
): Promise<Int32Array> {
  const { connection, size } = columns
  const lists: Int32Array[] = []
  for (const { sql, values } of valuesOf(columns, order as Order)) {
    // Rank and position are packed into one number, so that a plain numeric sort orders both.
    const packed = await connection.numbers(sql, size, ...values)
    const ranked = packed.map((value) => value - (value % size) + (rowNumbers[value % size] as number))
    lists.push(Int32Array.from(ranked.sort(), (value) => value % size))
  }
  return lists.reduce(concatenate)
}

/** Numbers first, then texts, each ranked separately. */
function valuesOf({ first }: JoinedColumns, { by, name, direction }: Order): BoundSql[] {
  const ranked = (column: string) =>
    `SELECT dense_rank() OVER (ORDER BY ${column} ${direction}) * ? + position`
  if (by === 'latency' || by === 'cost') {
    const sql = `${ranked(by)} FROM measure WHERE evaluation = ? AND ${by} IS NOT NULL`
    return [{ sql, values: [first.key] }]
  }
  const evaluator = first.ordinals.get(toStorableText(name)) ?? NO_ROW
  return ['number', 'text'].map((column) => ({
    sql: `${ranked(column)} FROM result
      WHERE evaluation = ? AND evaluator = ? AND is_error = 0 AND ${column} IS NOT NULL`,
    values: [first.key, evaluator],
  }))
}

function concatenate(first: Int32Array, second: Int32Array): Int32Array {
  const all = new Int32Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
