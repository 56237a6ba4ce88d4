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

/** One line of at most `width` columns. */
export function truncateLine(text: string, width: number): string {
  const line = sanitizeLine(text)
  if (textWidth(line) <= width) return line
  let truncated = ''
  let usedWidth = 0
  for (const character of line) {
    usedWidth += textWidth(character)
    if (usedWidth >= width) break
    truncated += character
  }
  return `${truncated}…`
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

/** Characters of East Asian scripts and emoji, which are two columns wide in terminals. */
const WIDE_CHARACTERS =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60\u{20000}-\u{3fffd}]/gu
/** Characters without a width of their own, such as accents. */
const ZERO_WIDTH_CHARACTERS = /[\p{Mn}\p{Me}]/gu

/** The number of columns in a terminal. */
export function textWidth(text: string): number {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return [...text].length + count(WIDE_CHARACTERS) - count(ZERO_WIDTH_CHARACTERS)
}
