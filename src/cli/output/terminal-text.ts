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

const MIN_FIRST_COLUMN = 12

/**
 * Aligns the first and the last column left, the others right. Cells of the first column are truncated if a line would be
 * longer than `maxWidth`.
 */
export function alignColumns(rows: string[][], maxWidth = Infinity): string[] {
  const headings = rows[0] ?? []
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => textWidth(row[column] ?? ''))))
  const [firstWidth = 0, ...otherWidths] = widths
  const spaceLeft = otherWidths.reduce((space, width) => space - width - 2, maxWidth)
  widths[0] = Math.min(firstWidth, Math.max(MIN_FIRST_COLUMN, spaceLeft))
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        const text = column === 0 ? truncateLine(cell, width) : cell
        const space = ' '.repeat(width - textWidth(text))
        return column === 0 || column === headings.length - 1 ? text + space : space + text
      })
      .join('  ')
      .trimEnd(),
  )
}

function textWidth(text: string): number {
  return [...text].length
}
