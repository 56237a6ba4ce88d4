// Numbers of values with exact digits, and indenting a JSON text without parsing it.
import { digitsOf } from '../../../src/json/exact-values.ts'

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
