// Lossless JSON: numbers keep their digits, and a text can be indented without parsing it.
interface RawJson {
  rawJSON: string
}

/** Browser features missing in TypeScript's types: the source text of a value in a reviver, and JSON.rawJSON. */
const json = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context?: { source?: string }) => unknown,
  ): unknown
  rawJSON?: (text: string) => RawJson
  isRawJSON?: (value: unknown) => value is RawJson
}

/** Parses JSON so that JSON.stringify writes all numbers as in the source, even those a double cannot represent. */
export function parseExactly(text: string): unknown {
  return json.parse(text, (_key, value, context) => {
    const source = typeof value === 'number' ? context?.source : undefined
    return source === undefined || source === String(value) ? value : (json.rawJSON?.(source) ?? value)
  })
}

/** The digits of a number as in the source, or undefined for other values. */
export function digitsOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return json.isRawJSON?.(value) ? value.rawJSON : undefined
}

export function numberOf(value: unknown): number | undefined {
  const digits = digitsOf(value)
  return digits === undefined ? undefined : Number(digits)
}

/** Deeper levels are not indented further, because the text would be too long. */
const MAX_INDENTED_DEPTH = 100

/** Replaces the whitespace between tokens by line breaks and indentation, without changing any token. */
export function indentJson(text: string): string {
  let depth = 0
  const lineBreak = () => `\n${'  '.repeat(Math.min(depth, MAX_INDENTED_DEPTH))}`
  return text.replace(/"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|\s+/g, (token) => {
    if (/^\s/.test(token)) return ''
    if (/^[{[].*[}\]]$/s.test(token)) return token[0] + token.slice(-1)
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
