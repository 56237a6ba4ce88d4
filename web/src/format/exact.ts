// JSON without losing what was written: numbers keep their digits, and a text can be laid out without being read.
interface RawJson {
  rawJSON: string
}

/** What engines have and TypeScript does not know yet: the text of a number, and a value that is printed as it was written. */
const json = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context?: { source?: string }) => unknown,
  ): unknown
  rawJSON?: (text: string) => RawJson
  isRawJSON?: (value: unknown) => value is RawJson
}

/** Numbers that a double would print otherwise come out of JSON.stringify as they were written. */
export function parseExactly(text: string): unknown {
  return json.parse(text, (_key, value, context) => {
    const source = typeof value === 'number' ? context?.source : undefined
    return source === undefined || source === String(value) ? value : (json.rawJSON?.(source) ?? value)
  })
}

/** The digits of a number, as they were written; undefined for anything else. */
export function digitsOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return json.isRawJSON?.(value) ? value.rawJSON : undefined
}

export function numberOf(value: unknown): number | undefined {
  const digits = digitsOf(value)
  return digits === undefined ? undefined : Number(digits)
}

/** The same JSON on many lines: no token is touched. */
export function indented(text: string): string {
  let depth = 0
  const lineBreak = () => `\n${'  '.repeat(depth)}`
  return text.replace(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g, (token) => {
    if (token === '{' || token === '[') {
      depth++
      return token + lineBreak()
    }
    if (token === '}' || token === ']') {
      depth--
      return lineBreak() + token
    }
    if (token === ',') return token + lineBreak()
    return token === ':' ? ': ' : token
  })
}
