// Serializes CSV as defined in RFC 4180.
export type CsvCell = string | number | null

/** All rows must have the same keys. */
export function csvOf(rows: readonly Record<string, CsvCell>[]): string {
  return [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))].map(csvLine).join('')
}

export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** Prevents formula injection, like `csv=excel` of the API. */
export function escapeFormula(cell: CsvCell): CsvCell {
  return /^[=+\-@\t\r]/.test(String(cell)) ? `'${cell}` : cell
}

function csvCell(value: CsvCell): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
