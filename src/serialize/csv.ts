// Writes CSV (RFC 4180): lines end with CRLF, and cells are quoted only if necessary.

export function formatCsvLine(cells: string[]): string {
  return `${cells.map(formatCsvCell).join(',')}\r\n`
}

function formatCsvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Prevents formula injection: adds an apostrophe to a cell that a spreadsheet could read as a formula. Some read wide signs too. */
export function escapeFormula(cell: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell
}

/** Converts JSON text to a cell: strings without quotes, null and undefined as an empty cell, anything else as JSON. */
export function jsonToCell(json: string | undefined): string {
  if (json === undefined || json === 'null') return ''
  return json.startsWith('"') ? (JSON.parse(json) as string) : json
}
