// Joined rows in an order: all of them, as places. The order is about the row of the first candidate; rows without a value
// come last, and their places break ties.
import { storable } from '../json/storable.ts'
import type { Order } from '../schema/filters.ts'
import type { Fragment } from './filters.ts'
import { type JoinedColumns, NOWHERE, type Places } from './joined-columns.ts'
import { changesOf } from './row-changes.ts'

/** `change`: the largest first, in whichever direction. */
export type JoinedOrder = Order | { by: 'change'; name: string }

export async function orderJoined(columns: JoinedColumns, order: JoinedOrder): Promise<Int32Array> {
  const { ordered } = await columns.kept(`ordered ${JSON.stringify(order)}`, async () => ({
    ordered: await findOrder(columns, order),
  }))
  return ordered
}

async function findOrder(columns: JoinedColumns, order: JoinedOrder): Promise<Int32Array> {
  const places = await columns.places(0)
  if (order.by === 'position') return byPosition(places, order.direction)
  const valued =
    order.by === 'change' || order.by === 'delta'
      ? await byDelta(columns, places, order)
      : await byValue(columns, places, order)
  const isThere = new Uint8Array(columns.size)
  for (const place of valued) isThere[place] = 1
  const rest = byPosition(places, 'asc').filter((place) => isThere[place] === 0)
  return joined(valued, rest)
}

/** Rows that only the candidate has are not in the base: they come last either way. */
function byPosition({ partners, places }: Places, direction: Order['direction']): Int32Array {
  const base = Int32Array.from(partners.keys())
  const others = places.filter((place) => place >= partners.length)
  return joined(direction === 'asc' ? base : base.reverse(), others)
}

async function byDelta(
  columns: JoinedColumns,
  { partners }: Places,
  order: JoinedOrder,
): Promise<Int32Array> {
  const evaluator = storable(order.name)
  const changes = await changesOf(columns, columns.first, evaluator)
  const values = Float64Array.from(partners, (candidate, base) => {
    const change = changes(base, candidate)
    if (order.by === 'change') return -Math.abs(change)
    if (!Number.isFinite(change)) return Number.NaN
    return order.by === 'delta' && order.direction === 'desc' ? -change : change
  })
  const valued = Int32Array.from(values.keys()).filter((place) => !Number.isNaN(values[place]))
  return valued.sort((a, b) => {
    const [one, other] = [values[a] as number, values[b] as number]
    return one === other ? a - b : one - other
  })
}

async function byValue(columns: JoinedColumns, { places }: Places, order: JoinedOrder): Promise<Int32Array> {
  const { connection, size } = columns
  const lists: Int32Array[] = []
  for (const { sql, values } of valuesOf(columns, order as Order)) {
    // How many values come before that of a row, and its place, in one number: so they are sorted at once.
    const found = await connection.numbers(sql, size, ...values)
    const ranked = found.map((one) => one - (one % size) + (places[one % size] as number))
    lists.push(Int32Array.from(ranked.sort(), (one) => one % size))
  }
  return lists.reduce(joined)
}

/** Scores, then labels; each with one thing to be compared by. */
function valuesOf({ first }: JoinedColumns, { by, name, direction }: Order): Fragment[] {
  const ranked = (column: string) =>
    `SELECT dense_rank() OVER (ORDER BY ${column} ${direction}) * ? + position`
  if (by === 'latency' || by === 'cost') {
    const sql = `${ranked(by)} FROM measure WHERE evaluation = ? AND ${by} IS NOT NULL`
    return [{ sql, values: [first.key] }]
  }
  const evaluator = first.ordinals.get(storable(name)) ?? NOWHERE
  return ['number', 'text'].map((column) => ({
    sql: `${ranked(column)} FROM result
      WHERE evaluation = ? AND evaluator = ? AND is_error = 0 AND ${column} IS NOT NULL`,
    values: [first.key, evaluator],
  }))
}

function joined(one: Int32Array, other: Int32Array): Int32Array {
  const all = new Int32Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}
