// Normalizes JSON numbers as exact decimals. Different numbers can be equal as doubles.

/** Exponents with more digits are compared by their text. */
const MAX_EXPONENT_DIGITS = 1000

/** Equal numbers give the same text: 1, 1.0, 10e-1 and 0.01E+2 are equal, and so are -0 and 0. */
export function decimalOf(number: string): string {
  const sign = number[0] === '-' ? '-' : ''
  const exponentAt = number.search(/[eE]/)
  const mantissa = number.slice(sign.length, exponentAt === -1 ? undefined : exponentAt)
  const exponent = exponentAt === -1 ? '0' : number.slice(exponentAt + 1)
  const dot = mantissa.indexOf('.')
  const digits = dot === -1 ? mantissa : mantissa.slice(0, dot) + mantissa.slice(dot + 1)
  const places = dot === -1 ? 0 : mantissa.length - dot - 1
  const first = firstDigit(digits)
  if (first === digits.length) return '0'
  const end = digitsEnd(digits)
  return `${sign}${digits.slice(first, end)}e${shifted(exponent, digits.length - end - places)}`
}

/** Not a regular expression, which would backtrack on many zeros. */
function firstDigit(digits: string): number {
  let first = 0
  while (digits[first] === '0') first += 1
  return first
}

function digitsEnd(digits: string): number {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return end
}

function shifted(exponent: string, by: number): string {
  if (exponent.length <= 15) return String(Number(exponent) + by)
  const sign = exponent[0] === '-' ? '-' : ''
  const digits = exponent.replace(/^[-+]/, '')
  const plain = digits.slice(firstDigit(digits)) || '0'
  if (plain.length > MAX_EXPONENT_DIGITS) return `${sign}${plain}+${by}`
  return String(BigInt(`${sign}${plain}`) + BigInt(by))
}
