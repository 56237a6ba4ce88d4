// Help texts for terminals: wrapped lines, and entries of a term and its description.

export const MAX_WIDTH = 100
const TERM_WIDTH = 26

/** Breaks a text between words, so that no line is longer than 100 characters with its indentation. */
export function wrapText(text: string, indentation = ''): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    const isTooLong = indentation.length + line.length + 1 + word.length > MAX_WIDTH
    if (line === '') lines[lines.length - 1] = word
    else if (isTooLong) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.map((line) => indentation + line).join('\n')
}

/** The term in the first column, and the paragraphs in the second one. A long term has its own line. */
export function formatEntry(term: string, ...paragraphs: string[]): string {
  const indentation = ' '.repeat(TERM_WIDTH + 3)
  const text = paragraphs.map((paragraph) => wrapText(paragraph, indentation)).join('\n')
  if (term.length > TERM_WIDTH) return `  ${term}\n${text}`
  return `  ${term.padEnd(TERM_WIDTH)} ${text.trimStart()}`
}
