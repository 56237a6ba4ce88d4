// Text that others wrote, in a place of a Markdown document where it can be nothing but text.

/** In one line, with what would turn its direction or steer a terminal taken out, and cut. */
function inOneLine(text: string, length: number): string {
  const line = text
    .slice(0, 8 * length)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .toWellFormed()
    .trim()
  const characters = [...line]
  const isCut = characters.length > length || text.length > 8 * length
  return isCut ? `${characters.slice(0, length - 1).join('')}…` : line
}

/**
 * As a span of code, in which nothing is markup, a link or a mention: its marks are longer than any inside. Also inside
 * of a table, where a bar would end the cell, and one behind a backslash cannot be written.
 */
export function code(text: string, length = 200): string {
  const line = inOneLine(text, length)
  if (line === '') return ''
  const content = line.replace(/\\(?=\|)/g, '\\ ').replaceAll('|', '\\|')
  const longest = Math.max(0, ...(content.match(/`+/g) ?? []).map((marks) => marks.length))
  const marks = '`'.repeat(longest + 1)
  const space = /^`|`$/.test(content) ? ' ' : ''
  return `${marks}${space}${content}${space}${marks}`
}

export function table(heads: string[], rows: string[][], isNumber: (column: number) => boolean): string[] {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map((_, column) => (isNumber(column) ? '---:' : '---'))), ...rows.map(line)]
}

/** One step of a path, without a character that means something in Markdown. */
export function pathStep(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
}
