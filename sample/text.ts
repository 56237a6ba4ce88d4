// Template tags for texts that are wrapped in the source, and {slots} that are filled per scenario.

/** Joins wrapped lines into paragraphs. Preserves blank lines, and line breaks before list items and table rows. */
export function prose(parts: TemplateStringsArray, ...values: string[]): string {
  const template = parts.reduce((text, part, index) => text + values[index - 1] + part)
  return template
    .trim()
    .split(/\n[ \t]*\n/)
    .map(joinLines)
    .join('\n\n')
}

/** Text that ends in a script without spaces between words. */
const UNSPACED = /[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]$/

function joinLines(paragraph: string): string {
  let joined = ''
  for (const line of paragraph.split('\n').map((item) => item.trim())) {
    if (joined === '') joined = line
    else joined += (/^(- |\||\d+\. )/.test(line) ? '\n' : UNSPACED.test(joined) ? '' : ' ') + line
  }
  return joined
}

/** Removes the common indentation and preserves all line breaks. For prompts and code. */
export function dedent(parts: TemplateStringsArray, ...values: string[]): string {
  const margin = /\n( *)\S/.exec(parts[0] as string)?.[1]?.length ?? 0
  const dedented = parts.map((part) => part.replaceAll(`\n${' '.repeat(margin)}`, '\n'))
  return dedented.reduce((text, part, index) => text + values[index - 1] + part).trim()
}

export type Slots = Readonly<Record<string, string>>

/** Replaces the {slots} of a text with values. Throws if a value is missing. */
export function fill(text: string, slots: Slots): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = slots[name]
    if (value === undefined) throw new Error(`no value for {${name}} in: ${text}`)
    return value
  })
}

/** Estimates the number of tokens: 0.25 per Latin letter and 0.8 per other character. */
export function tokenCount(text: string): number {
  let tokens = 0
  for (const letter of text) tokens += letter < '\u0250' ? 0.25 : 0.8
  return Math.ceil(tokens)
}
