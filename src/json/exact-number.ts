// JSON numbers as exact decimals. Different numbers can be equal as doubles, and some do not fit a double at all.
import { parseWith } from './parse.ts'

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
  return parseWith(json, (text) => (/^[-\d]/.test(text) ? parseExactNumber(text) : JSON.parse(text)))
}

function parseExactNumber(text: string): number | ExactNumber {
  const number = Number(text)
  const decimal = normalizeDecimal(text)
  const isExact = Number.isFinite(number) && normalizeDecimal(String(number)) === decimal
  return isExact ? number : new ExactNumber(decimal)
}

/** Exponents with more digits are compared by their text. */
const MAX_EXPONENT_DIGITS = 1000

/** Equal numbers give the same text: 1, 1.0, 10e-1 and 0.01E+2 are equal, and so are -0 and 0. */
export function normalizeDecimal(number: string): string {
  const sign = number[0] === '-' ? '-' : ''
  const exponentIndex = number.search(/[eE]/)
  const mantissa = number.slice(sign.length, exponentIndex === -1 ? undefined : exponentIndex)
  const exponent = exponentIndex === -1 ? '0' : number.slice(exponentIndex + 1)
  const dot = mantissa.indexOf('.')
  const digits = dot === -1 ? mantissa : mantissa.slice(0, dot) + mantissa.slice(dot + 1)
  const places = dot === -1 ? 0 : mantissa.length - dot - 1
  const start = findFirstNonZero(digits)
  if (start === digits.length) return '0'
  const end = findEndOfNonZero(digits)
  return `${sign}${digits.slice(start, end)}e${shiftExponent(exponent, digits.length - end - places)}`
}

/** Does not use a regular expression, because it would backtrack on many zeros. */
function findFirstNonZero(digits: string): number {
  let first = 0
  while (digits[first] === '0') first += 1
  return first
}

function findEndOfNonZero(digits: string): number {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return end
}

function shiftExponent(exponent: string, shift: number): string {
  if (exponent.length <= 15) return String(Number(exponent) + shift)
  const sign = exponent[0] === '-' ? '-' : ''
  const digits = exponent.replace(/^[-+]/, '')
  const plain = digits.slice(findFirstNonZero(digits)) || '0'
  if (plain.length > MAX_EXPONENT_DIGITS) return `${sign}${plain}+${shift}`
  return String(BigInt(`${sign}${plain}`) + BigInt(shift))
}
