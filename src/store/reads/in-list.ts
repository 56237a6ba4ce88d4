// SQL IN lists of positions. They have a few fixed sizes, so that prepared statements are reused.
import type { Value } from '../dialect/dialect.ts'

const LIST_SIZES = [1, 10, 50, 200, 1000]

/** Pads a list. No row has this position. */
const NO_POSITION = -1

/** Placeholders and values for an IN list of these positions. */
export function inList(positions: number[]): { placeholders: string; values: Value[] } {
  const size = LIST_SIZES.find((size) => size >= positions.length) ?? positions.length
  const values = positions.concat(Array<number>(size - positions.length).fill(NO_POSITION))
  return { placeholders: values.map(() => '?').join(', '), values }
}
