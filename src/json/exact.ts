// Values whose numbers are told apart to the last digit: what a double cannot hold exactly stays a decimal.
import { decimalOf } from './decimal.ts'
import { elementTexts, memberTexts } from './slices.ts'

/** A number that as a double would be another one. */
export class ExactNumber {
  readonly decimal: string

  constructor(decimal: string) {
    this.decimal = decimal
  }
}

/** Whether a text may hold such a number: one with many digits, or with an exponent. */
export function mayBeInexact(json: string): boolean {
  return /\d{16}|\d[eE]|\.\d{15}/.test(json)
}

/** Of stored text. */
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
