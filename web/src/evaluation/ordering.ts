// The order of rows: the word of the API, as a column shows it, as a click changes it, and in words.
import type { Column } from './columns.ts'

type Direction = 'ascending' | 'descending'

/** How this column orders the rows, by its values or by their difference to the baseline. */
export function orderOf(order: string | undefined, { key, kind, name }: Column) {
  const by = (word: string): Direction | undefined =>
    order === `${word}.asc` ? 'ascending' : order === `${word}.desc` ? 'descending' : undefined
  return { value: by(key), delta: kind === 'result' ? by(`delta.${name}`) : undefined }
}

/** Up, down, and as they were written again. */
export function nextOrder(order: string | undefined, { key }: Column): string | undefined {
  if (order === `${key}.asc`) return `${key}.desc`
  return order === `${key}.desc` ? undefined : `${key}.asc`
}

/** "sorted by latency, highest first". */
export function orderWords(order: string | undefined): string | undefined {
  const parts = order?.match(/^(?:(result|delta)\.)?(.+)\.(asc|desc)$/s)
  if (!parts) return undefined
  const [, family, name, direction] = parts
  return `sorted by ${family === 'delta' ? 'change of ' : ''}${name}, ${direction === 'asc' ? 'lowest' : 'highest'} first`
}
