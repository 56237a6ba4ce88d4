// Sorts joined rows and returns their row numbers. The order refers to the row of the first candidate; rows without a
// value come last, and row numbers break ties.
import { toStorableText } from '../../json/storable-text.ts'
import type { Order } from '../../schema/filters/row-filters.ts'
import type { BoundSql } from '../query/filters.ts'
import { type JoinedColumns, NO_ROW, type PairIndex } from './joined-columns.ts'
import { createDeltaLookup } from './row-classes.ts'

/** `change` sorts by absolute score difference, largest first. */
export type JoinedOrder = Order | { by: 'change'; name: string }

export async function orderJoined(columns: JoinedColumns, order: JoinedOrder): Promise<Int32Array> {
  const { ordered } = await columns.cached(`ordered ${JSON.stringify(order)}`, async () => ({
    ordered: await computeOrder(columns, order),
  }))
  return ordered
}

async function computeOrder(columns: JoinedColumns, order: JoinedOrder): Promise<Int32Array> {
  const pairIndex = await columns.pairIndex(0)
  if (order.by === 'position') return orderByPosition(pairIndex, order.direction)
  const valuedRows =
    order.by === 'change' || order.by === 'delta'
      ? await orderByDelta(columns, pairIndex, order)
      : await orderByValue(columns, pairIndex, order)
  const hasValue = new Uint8Array(columns.size)
  for (const row of valuedRows) hasValue[row] = 1
  const otherRows = orderByPosition(pairIndex, 'asc').filter((row) => hasValue[row] === 0)
  return concatenate(valuedRows, otherRows)
}

/** Rows that only the candidate has come last in both directions. */
function orderByPosition(
  { candidatePositions, rowNumbers }: PairIndex,
  direction: Order['direction'],
): Int32Array {
  const baselineRows = Int32Array.from(candidatePositions.keys())
  const candidateOnlyRows = rowNumbers.filter((row) => row >= candidatePositions.length)
  return concatenate(direction === 'asc' ? baselineRows : baselineRows.reverse(), candidateOnlyRows)
}

async function orderByDelta(
  columns: JoinedColumns,
  { candidatePositions }: PairIndex,
  order: JoinedOrder,
): Promise<Int32Array> {
  const evaluator = toStorableText(order.name)
  const deltaOf = await createDeltaLookup(columns, columns.first, evaluator)
  const values = Float64Array.from(candidatePositions, (candidatePosition, baselinePosition) => {
    const delta = deltaOf(baselinePosition, candidatePosition)
    if (order.by === 'change') return -Math.abs(delta)
    if (!Number.isFinite(delta)) return Number.NaN
    return order.by === 'delta' && order.direction === 'desc' ? -delta : delta
  })
  const valuedRows = Int32Array.from(values.keys()).filter((row) => !Number.isNaN(values[row]))
  return valuedRows.sort((a, b) => {
    const [firstValue, secondValue] = [values[a] as number, values[b] as number]
    return firstValue === secondValue ? a - b : firstValue - secondValue
  })
}

async function orderByValue(
  columns: JoinedColumns,
  { rowNumbers }: PairIndex,
  order: JoinedOrder,
): Promise<Int32Array> {
  const { connection, size } = columns
  const lists: Int32Array[] = []
  for (const { sql, values } of rankStatements(columns, order as Order)) {
    // Rank and position are packed into one number, so that a plain numeric sort orders both.
    const packed = await connection.readNumbers(sql, size, ...values)
    const rankedRows = packed.map((value) => value - (value % size) + (rowNumbers[value % size] as number))
    lists.push(Int32Array.from(rankedRows.sort(), (value) => value % size))
  }
  return lists.reduce(concatenate)
}

/** Numbers first, then texts, each ranked separately. */
function rankStatements({ first }: JoinedColumns, { by, name, direction }: Order): BoundSql[] {
  const selectRank = (column: string) =>
    `SELECT dense_rank() OVER (ORDER BY ${column} ${direction}) * ? + position`
  if (by === 'latency' || by === 'cost') {
    const sql = `${selectRank(by)} FROM measure WHERE evaluation = ? AND ${by} IS NOT NULL`
    return [{ sql, values: [first.key] }]
  }
  const evaluator = first.ordinals.get(toStorableText(name)) ?? NO_ROW
  return ['number', 'text'].map((column) => ({
    sql: `${selectRank(column)} FROM result
      WHERE evaluation = ? AND evaluator = ? AND is_error = 0 AND ${column} IS NOT NULL`,
    values: [first.key, evaluator],
  }))
}

function concatenate(first: Int32Array, second: Int32Array): Int32Array {
  const result = new Int32Array(first.length + second.length)
  result.set(first)
  result.set(second, first.length)
  return result
}
