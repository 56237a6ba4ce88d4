// Prints text to the terminal.

/** Replaces control characters, line breaks and bidirectional marks in user data, which could manipulate the terminal. */
export function sanitizeLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** The width of each column of a table. `minWidths` are those of rows that were printed before. */
export function columnWidths(rows: string[][], minWidths: number[] = []): number[] {
  return (rows[0] ?? []).map((_, column) =>
    Math.max(minWidths[column] ?? 0, ...rows.map((row) => row[column]?.length ?? 0)),
  )
}

export function formatTable(rows: string[][], widths = columnWidths(rows)): string {
  const formatRow = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => formatRow(row).trimEnd()).join('\n')
}

/** One line of at most `length` characters. */
export function truncateLine(text: string, length: number): string {
  const characters = [...sanitizeLine(text)]
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : characters.join('')
}

/** Aligns the first and the last column left, the others right. */
export function alignColumns(rows: string[][]): string[] {
  const headings = rows[0] ?? []
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => textWidth(row[column] ?? ''))))
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - textWidth(cell))
        return column === 0 || column === headings.length - 1 ? cell + space : space + cell
      })
      .join('  ')
      .trimEnd(),
  )
}

export function textWidth(text: string): number {
  return [...text].length
}
