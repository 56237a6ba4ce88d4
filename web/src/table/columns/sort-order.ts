// Sort orders in the syntax of the API: `latency.desc`, or 'position' for the original order.

/** The order that the rows have. */
export function currentOrder(param: string | undefined, defaultOrder: string): string {
  return param === undefined ? defaultOrder : param === 'position.asc' ? 'position' : param
}

/** How the rows are sorted by a column: the `aria-sort` of its header, the direction, and whether by its change. */
export function columnSort(order: string, [main, ...others]: readonly string[]) {
  const name = [main, ...others].find((one) => order === `${one}.asc` || order === `${one}.desc`)
  const isAscending = order.endsWith('.asc')
  const aria =
    name === undefined ? 'none' : name !== main ? 'other' : isAscending ? 'ascending' : 'descending'
  const direction = name === undefined ? undefined : isAscending ? 'asc' : 'desc'
  return { aria, direction, isByChange: name?.startsWith('delta.') ?? false } as const
}

/** Cycles through ascending, descending and the original order. */
export function nextOrder(order: string, name: string): string {
  if (order === `${name}.asc`) return `${name}.desc`
  return order === `${name}.desc` ? 'position' : `${name}.asc`
}

/** "sorted by latency, highest first". */
export function orderLabel(order: string | undefined): string | undefined {
  const parts = order?.match(/^(?:(result|delta)\.)?(.+)\.(asc|desc)$/s)
  if (!parts) return undefined
  const [, kind, name, direction] = parts
  return `sorted by ${kind === 'delta' ? 'change of ' : ''}${name}, ${direction === 'asc' ? 'lowest' : 'highest'} first`
}
