// Lists of positions in statements. Statements come in few sizes, so that they are prepared once.
import type { Value } from './dialect/dialect.ts'

const SIZES = [1, 10, 50, 200, 1000]

/** No row is at this position: it fills a statement up. */
const NOWHERE = -1

/** Placeholders for these positions, and the values for them. */
export function roomFor(positions: number[]): { marks: string; values: Value[] } {
  const size = SIZES.find((room) => room >= positions.length) ?? positions.length
  const values = positions.concat(Array<number>(size - positions.length).fill(NOWHERE))
  return { marks: values.map(() => '?').join(', '), values }
}
