// Parses JSON without losing digits: a number that a double cannot represent exactly becomes an ExactNumber.
import { normalizeDecimal } from './decimal.ts'
import { splitElements, splitMembers } from './member-texts.ts'

/** A number that a double cannot represent exactly. */
export class ExactNumber {
  readonly decimal: string

  constructor(decimal: string) {
    this.decimal = decimal
  }
}

/** A quick test. It can return true for a text without inexact numbers, but never false for a text with one. */
export function canContainInexactNumber(json: string): boolean {
  return /\d{16}|\d[eE]|\.\d{15}/.test(json)
}

/** Parses stored JSON text, which is valid and has no whitespace outside strings. */
export function parseExact(json: string): unknown {
  const first = json[0]
  if (first === '[') return splitElements(json).map(parseExact)
  if (first === '{')
    return Object.fromEntries([...splitMembers(json)].map(([name, text]) => [name, parseExact(text)]))
  return /[-\d]/.test(first ?? '') ? parseExactNumber(json) : JSON.parse(json)
}

function parseExactNumber(text: string): number | ExactNumber {
  const number = Number(text)
  const decimal = normalizeDecimal(text)
  const isExact = Number.isFinite(number) && normalizeDecimal(String(number)) === decimal
  return isExact ? number : new ExactNumber(decimal)
}
