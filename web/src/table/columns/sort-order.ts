// Sort orders in the syntax of the API: the direction of a column, the next order on click, and a label.
import type { TableColumn } from './column-choice.ts'

type Direction = 'ascending' | 'descending'

/** The direction in which this column sorts the rows, by value or by difference to the baseline. */
export function columnOrder(
  order: string | undefined,
  { key, kind, name }: Pick<TableColumn, 'key' | 'kind' | 'name'>,
) {
  const directionFor = (name: string): Direction | undefined =>
    order === `${name}.asc` ? 'ascending' : order === `${name}.desc` ? 'descending' : undefined
  return { value: directionFor(key), delta: kind === 'result' ? directionFor(`delta.${name}`) : undefined }
}

/** Cycles through ascending, descending and unsorted. */
export function nextOrder(order: string | undefined, { key }: Pick<TableColumn, 'key'>): string | undefined {
  if (order === `${key}.asc`) return `${key}.desc`
  return order === `${key}.desc` ? undefined : `${key}.asc`
}

/** "sorted by latency, highest first". */
export function orderLabel(order: string | undefined): string | undefined {
  const parts = order?.match(/^(?:(result|delta)\.)?(.+)\.(asc|desc)$/s)
  if (!parts) return undefined
  const [, kind, name, direction] = parts
  return `sorted by ${kind === 'delta' ? 'change of ' : ''}${name}, ${direction === 'asc' ? 'lowest' : 'highest'} first`
}
