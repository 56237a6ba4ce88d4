// Values of parsed JSON: objects, scalars, and JSON inside texts.
import { digitsOf, parseExactly } from '../json/exact-values.ts'

export type JsonObject = Record<string, unknown>

/** Longer texts are not parsed: the page would not respond while it parses. */
export const MAX_JSON_LENGTH = 2_000_000

/** The object or array that a text contains as JSON. */
export function parseJsonText(text: string): unknown {
  if (text.length > MAX_JSON_LENGTH || !/^\s*[[{]/.test(text)) return undefined
  try {
    return parseExactly(text)
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is JsonObject {
  return !isScalar(value) && !Array.isArray(value)
}

/** Numbers with exact digits are objects (see exact-values.ts). */
export function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null || digitsOf(value) !== undefined
}

export function isMatch(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value)
}
