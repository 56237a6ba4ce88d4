// How the sample's texts are written in the source: wrapped at the width of the file, with {slots} that are
// filled in per scenario.

/**
 * Joins the wrapped lines of a template into running text. A blank line stays a paragraph break, and a line
 * that opens a list item or a table row stays a line of its own.
 */
export function prose(parts: TemplateStringsArray, ...values: string[]): string {
  const written = parts.reduce((text, part, at) => text + values[at - 1] + part)
  return written
    .trim()
    .split(/\n[ \t]*\n/)
    .map(joinLines)
    .join('\n\n')
}

/** Ends in a script that is written without spaces. */
const UNSPACED = /[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]$/

function joinLines(paragraph: string): string {
  let joined = ''
  for (const line of paragraph.split('\n').map((each) => each.trim())) {
    if (joined === '') joined = line
    else joined += (/^(- |\||\d+\. )/.test(line) ? '\n' : UNSPACED.test(joined) ? '' : ' ') + line
  }
  return joined
}

/** Takes the common indentation away and keeps every line break: for prompts and code. */
export function verbatim(parts: TemplateStringsArray, ...values: string[]): string {
  const margin = /\n( *)\S/.exec(parts[0] as string)?.[1]?.length ?? 0
  const flush = parts.map((part) => part.replaceAll(`\n${' '.repeat(margin)}`, '\n'))
  return flush.reduce((text, part, at) => text + values[at - 1] + part).trim()
}

export type Slots = Readonly<Record<string, string>>

/** Puts the values into the {slots} of a text. */
export function fill(text: string, slots: Slots): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = slots[name]
    if (value === undefined) throw new Error(`no value for {${name}} in: ${text}`)
    return value
  })
}

/** About as many tokens as a model would count: four letters of English, or one letter of other scripts. */
export function tokenCount(text: string): number {
  let tokens = 0
  for (const letter of text) tokens += letter < '\u0250' ? 0.25 : 0.8
  return Math.ceil(tokens)
}
