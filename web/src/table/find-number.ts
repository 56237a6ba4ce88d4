// Finds a row by its number. Numbers are those of all rows in their original order, and deleted rows leave gaps.
interface NumberedRow {
  /** The number minus 1. */
  position: number
}

/** `readRow` reads a row by its index in the original order. Most evaluations have no gaps, so this is usually one request. */
export async function findByNumber<Row extends NumberedRow>(
  number: number,
  readRow: (index: number) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const position = number - 1
  // The index of a row is at most its position.
  let [low, high, index] = [0, position, position]
  while (low <= high) {
    const row = await readRow(index)
    if (row?.position === position) return row
    if (row && row.position < position) low = index + 1
    else high = index - 1
    index = Math.floor((low + high) / 2)
  }
  return undefined
}
