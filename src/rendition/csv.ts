// CSV as RFC 4180 has it: lines end with CRLF, a cell is quoted where it must be.

export function csvLine(cells: string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A JSON text as a cell: a string as itself, null and nothing as an empty cell, the rest as it stands. */
export function cellOf(json: string | undefined): string {
  if (json === undefined || json === 'null') return ''
  return json.startsWith('"') ? (JSON.parse(json) as string) : json
}
