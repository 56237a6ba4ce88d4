// A JSON text taken apart without losing a digit: numbers stay as they were written.

/** A number as its text, since 9007199254740993 and 1.10 are not what a double makes of them. */
export class ExactNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Reviver = (name: string, value: unknown, context?: { source?: string }) => unknown

export function parseExact(text: string): unknown {
  // Browsers of before 2025 do not hand over the source of a number; there it is what a double makes of it.
  const keepNumbers: Reviver = (_name, value, context) =>
    typeof value === 'number' ? new ExactNumber(context?.source ?? String(value)) : value
  return JSON.parse(text, keepNumbers)
}

/** JSON of a value, with exact numbers where it has them. */
export function jsonOf(value: unknown): string {
  if (value instanceof ExactNumber) return value.text
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`)
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value) ?? ''
}

/** How a value stands in a sentence or a cell: a text without quotes, unless it would be taken for something else. */
export function wordsOf(value: unknown): string {
  if (typeof value === 'string' && !needsQuotes(value)) return value
  return jsonOf(value)
}

function needsQuotes(text: string): boolean {
  return text.trim() !== text || text === '' || /^(?:true|false|null|[-\d[{"].*)$/s.test(text)
}
