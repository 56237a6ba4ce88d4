// Formats user data for Markdown, so that it cannot act as markup, a link or a mention.

/** Joins lines, removes control characters and bidirectional marks, and truncates the text. */
function toSingleLine(text: string, length: number): string {
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

/** Any character that is visible on a screen. */
const VISIBLE_CHARACTER = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * A code span, delimited by more backticks than the text contains in a row. Empty if the text has no visible
 * character.
 */
export function codeSpan(text: string, length = 200): string {
  const content = toSingleLine(text, length)
  if (!VISIBLE_CHARACTER.test(content)) return ''
  const longestRun = Math.max(0, ...(content.match(/`+/g) ?? []).map((backticks) => backticks.length))
  const delimiter = '`'.repeat(longestRun + 1)
  const space = /^`|`$/.test(content) ? ' ' : ''
  return `${delimiter}${space}${content}${space}${delimiter}`
}

/** A name as a code span, with a placeholder if the name has no visible character. */
export function codeSpanOfName(name: string, length?: number): string {
  return codeSpan(name, length) || '`\ufffd`'
}

/** Escapes pipes, which end a table cell. A backslash before a pipe cannot be escaped, so a space separates them. */
function escapeCell(text: string): string {
  return text.replace(/\\(?=\|)/g, '\\ ').replaceAll('|', '\\|')
}

export function markdownTable(
  headings: string[],
  rows: string[][],
  isNumber: (column: number) => boolean,
): string[] {
  const formatRow = (cells: string[]) => `| ${cells.map(escapeCell).join(' | ')} |`
  return [
    formatRow(headings),
    formatRow(headings.map((_, column) => (isNumber(column) ? '---:' : '---'))),
    ...rows.map(formatRow),
  ]
}

/** Encodes one URL path segment, including characters with a meaning in Markdown. */
export function encodePathSegment(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  )
}
