// SQL IN lists. They have a few fixed sizes, so that prepared statements are reused.
import type { Value } from '../dialect/dialect.ts'

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
