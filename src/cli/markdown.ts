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

/** What leaves a mark on a screen. */
const SEEN = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * As a span of code, in which nothing is markup, a link or a mention: its marks are longer than any inside. Nothing where
 * there is nothing to be seen.
 */
export function code(text: string, length = 200): string {
  const content = inOneLine(text, length)
  if (!SEEN.test(content)) return ''
  const longest = Math.max(0, ...(content.match(/`+/g) ?? []).map((marks) => marks.length))
  const marks = '`'.repeat(longest + 1)
  const space = /^`|`$/.test(content) ? ' ' : ''
  return `${marks}${space}${content}${space}${marks}`
}

/** A name as a span of code, which always shows something. */
export function codeName(name: string, length?: number): string {
  return code(name, length) || '`\ufffd`'
}

/** A bar would end the cell, and one behind a backslash cannot be written. */
function inCell(text: string): string {
  return text.replace(/\\(?=\|)/g, '\\ ').replaceAll('|', '\\|')
}

export function table(heads: string[], rows: string[][], isNumber: (column: number) => boolean): string[] {
  const line = (cells: string[]) => `| ${cells.map(inCell).join(' | ')} |`
  return [line(heads), line(heads.map((_, column) => (isNumber(column) ? '---:' : '---'))), ...rows.map(line)]
}

/** One step of a path, without a character that means something in Markdown. */
export function pathStep(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
}
