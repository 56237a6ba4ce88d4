// Writes CSV (RFC 4180): lines end with CRLF, and cells are quoted only if necessary.

export function csvLine(cells: string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Converts JSON text to a cell: strings without quotes, null and undefined as an empty cell, anything else as JSON. */
export function jsonToCell(json: string | undefined): string {
  if (json === undefined || json === 'null') return ''
  return json.startsWith('"') ? (JSON.parse(json) as string) : json
}
