// Parses JSON without losing digits: a number that a double cannot represent exactly becomes an ExactNumber.
import { decimalOf } from './decimal.ts'
import { elementTexts, memberTexts } from './member-texts.ts'

/** A number that a double cannot represent exactly. */
export class ExactNumber {
  readonly decimal: string

  constructor(decimal: string) {
    this.decimal = decimal
  }
}

/** A quick test: texts without a match contain no inexact number. */
export function mayBeInexact(json: string): boolean {
  return /\d{16}|\d[eE]|\.\d{15}/.test(json)
}

/** Parses stored JSON text. */
export function exactValue(json: string): unknown {
  const first = json[0]
  if (first === '[') return elementTexts(json).map(exactValue)
  if (first === '{')
    return Object.fromEntries([...memberTexts(json)].map(([name, text]) => [name, exactValue(text)]))
  return /[-\d]/.test(first ?? '') ? exactNumber(json) : JSON.parse(json)
}

function exactNumber(text: string): number | ExactNumber {
  const number = Number(text)
  const decimal = decimalOf(text)
  const isExact = Number.isFinite(number) && decimalOf(String(number)) === decimal
  return isExact ? number : new ExactNumber(decimal)
}
