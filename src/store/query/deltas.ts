// Filters and sorts rows by score difference. Differences need the rows of two evaluations, so this is done in memory.
import type { Comparison } from '../../schema/filters/fields.ts'
import type { FilterCondition } from '../../schema/filters/filters.ts'
import type { Order } from '../../schema/filters/orders.ts'

/** Reads the score difference of each row, by position. It is not finite for rows that cannot be compared. */
export type ReadDeltas = (evaluator: string) => Promise<Float64Array>

const COMPARATORS: Record<Comparison, (delta: number, operand: number) => boolean> = {
  eq: (delta, operand) => delta === operand,
  ne: (delta, operand) => delta !== operand,
  lt: (delta, operand) => delta < operand,
  lte: (delta, operand) => delta <= operand,
  gt: (delta, operand) => delta > operand,
  gte: (delta, operand) => delta >= operand,
}

/** The indexes of the differences that match, in ascending order. */
export function findDeltas(deltas: Float64Array, { operator, value }: FilterCondition): Int32Array {
  const members = new Set([value].flat().map(Number))
  const compare =
    operator === 'in' ? (delta: number) => members.has(delta) : COMPARATORS[operator as Comparison]
  return Int32Array.from(deltas.keys()).filter((index) => {
    const delta = deltas[index] as number
    return Number.isFinite(delta) && compare(delta, Number(value))
  })
}

/** The indexes of the differences in order. Equal differences are sorted by index. */
export function sortByDelta(deltas: Float64Array, direction: Order['direction']): Int32Array {
  const sign = direction === 'desc' ? -1 : 1
  return sortIndexes(deltas.map((delta) => (Number.isFinite(delta) ? sign * delta : Number.NaN)))
}

/** The indexes of the values that are not NaN, by ascending value and then by index. */
export function sortIndexes(values: Float64Array): Int32Array {
  const indexes = Int32Array.from(values.keys()).filter((index) => !Number.isNaN(values[index]))
  return indexes.sort((a, b) => {
    const [first, second] = [values[a] as number, values[b] as number]
    return first === second ? a - b : first - second
  })
}
