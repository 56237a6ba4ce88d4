// Sorts joined rows and returns their row numbers. The order refers to the row of the first candidate; rows without a
// value come last, and row numbers break ties.
import { toStorableText } from '../../json/storable-text.ts'
import type { Order } from '../../schema/filters/orders.ts'
import { sortByDelta, sortIndexes } from '../query/deltas.ts'
import { sortableResults } from '../query/views.ts'
import type { JoinedColumns } from './joined-columns.ts'
import { NO_ROW, type PairIndex } from './joins.ts'
import type { RowScores } from './rows/row-scores.ts'
import { UNUSED_POSITION } from './rows/rows.ts'

/** `change` sorts by absolute score difference, largest first. */
export type JoinedOrder = Order | { by: 'change'; name: string }

export async function orderJoined(columns: JoinedColumns, order: JoinedOrder): Promise<Int32Array> {
  const { ordered } = await columns.cached(`ordered ${JSON.stringify(order)}`, async () => ({
    ordered: await computeOrder(columns, order),
  }))
  return ordered
}

async function computeOrder(columns: JoinedColumns, order: JoinedOrder): Promise<Int32Array> {
  const pairIndex = columns.pairIndex(0)
  if (order.by === 'position') return orderByPosition(pairIndex, order.direction)
  const valuedRows = await orderByValue(columns, pairIndex, order)
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
  const baselineRows = Int32Array.from(candidatePositions.keys()).filter(
    (row) => candidatePositions[row] !== UNUSED_POSITION,
  )
  const candidateOnlyRows = rowNumbers.filter((row) => row >= candidatePositions.length)
  return concatenate(direction === 'asc' ? baselineRows : baselineRows.reverse(), candidateOnlyRows)
}

async function orderByValue(
  columns: JoinedColumns,
  { rowNumbers }: PairIndex,
  order: JoinedOrder,
): Promise<Int32Array> {
  const name = toStorableText(order.name)
  if (order.by === 'change')
    return sortIndexes((await columns.changes(0, name)).deltas.map((delta) => -Math.abs(delta)))
  if (order.by === 'delta') return sortByDelta((await columns.changes(0, name)).deltas, order.direction)
  const { connection, first, size } = columns
  const { firstPositions } = await columns.rows(first)
  if (firstPositions) {
    const scores =
      order.by === 'result'
        ? await columns.rowScores(first, name)
        : await columns.rowMeasures(first, order.by as 'cost' | 'latency')
    return orderByMean(scores, firstPositions, rowNumbers, size, order.direction)
  }
  const sources =
    order.by === 'result'
      ? sortableResults(first.key, first.ordinals.get(name) ?? NO_ROW)
      : [sortableMeasures(first.key, `row.${order.by}`)]
  const lists: Int32Array[] = []
  for (const { column, sql, values } of sources) {
    // Rank and position are packed into one number, so that a plain numeric sort orders both.
    const rank = `dense_rank() OVER (ORDER BY ${column} ${order.direction})`
    const packed = await connection.readNumbers(`SELECT ${rank} * ? + row.position ${sql}`, size, ...values)
    const rankedRows = packed.map((value) => value - (value % size) + (rowNumbers[value % size] as number))
    lists.push(Int32Array.from(rankedRows.sort(), (value) => value % size))
  }
  return lists.reduce(concatenate)
}

/** Rows with repeats. Labels have no mean, so rows with labels have no value. */
function orderByMean(
  scores: RowScores | undefined,
  firstPositions: Int32Array,
  rowNumbers: Int32Array,
  size: number,
  direction: Order['direction'],
): Int32Array {
  const means = new Float64Array(size).fill(Number.NaN)
  for (const [position, first] of firstPositions.entries())
    if (scores && first === position)
      means[rowNumbers[position] as number] = scores.numbers[position] as number
  return sortByDelta(means, direction)
}

function sortableMeasures(evaluation: number, column: string) {
  const sql = `FROM measure AS row WHERE row.evaluation = ? AND ${column} IS NOT NULL`
  return { column, sql, values: [evaluation] }
}

function concatenate(first: Int32Array, second: Int32Array): Int32Array {
  const result = new Int32Array(first.length + second.length)
  result.set(first)
  result.set(second, first.length)
  return result
}
