// Windows of rows, counted in steps of their size.

/** Where the window begins that has the row with so many before it: behind the last one, that which ends with the last. */
export function startOf(before: number, total: number, limit: number): number {
  const shown = Math.max(0, Math.min(before, total - 1))
  return shown - (shown % limit)
}
