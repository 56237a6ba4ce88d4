// Writes CSV (RFC 4180): lines end with CRLF, and cells are quoted only if necessary.

export function formatCsvLine(cells: string[]): string {
  return `${cells.map(formatCsvCell).join(',')}\r\n`
}

function formatCsvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Converts JSON text to a cell: strings without quotes, null and undefined as an empty cell, anything else as JSON. */
export function jsonToCell(json: string | undefined): string {
  if (json === undefined || json === 'null') return ''
  return json.startsWith('"') ? (JSON.parse(json) as string) : json
}
