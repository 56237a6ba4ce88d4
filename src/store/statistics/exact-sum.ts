// Exact sums of doubles. They do not depend on the order of the numbers, and removing a number reverses adding it, so a sum
// can be stored and updated. Uses no database.
import { roundStatistic } from './rounding.ts'

/** Every finite double is an integer multiple of the smallest positive double, 2 ** SMALLEST_EXPONENT. */
const SMALLEST_EXPONENT = -1074

/** Sums of at least this many bits are divided, so that the quotient has more bits than a double. */
const QUOTIENT_BITS = 72

/** A sum that is smaller than the sum of absolute values by this factor is zero except for rounding errors of its terms. */
const ROUNDING_FACTOR = 10n ** 12n

/** The sum of numbers of any sign and size. */
export class ExactSum {
  // Positive and negative numbers are added separately: together they are the sum of absolute values.
  readonly #positive: Accumulator
  readonly #negative: Accumulator

  /** `text` is the result of toText. */
  constructor(text = '0') {
    const [positive, negative = '0'] = text.split('-')
    this.#positive = new Accumulator(parseInteger(positive ?? '0'))
    this.#negative = new Accumulator(parseInteger(negative))
  }

  add(number: number): void {
    if (number < 0) this.#negative.add(-number, 1)
    else this.#positive.add(number, 1)
  }

  /** Reverses `add`. */
  remove(number: number): void {
    if (number < 0) this.#negative.add(-number, -1)
    else this.#positive.add(number, -1)
  }

  /** Adds all numbers of another sum. */
  addAll(other: ExactSum): void {
    this.#positive.addInteger(other.#positive.toInteger())
    this.#negative.addInteger(other.#negative.toInteger())
  }

  /**
   * The total and the mean of `count` numbers: those that were added, and `ones` times the number 1. Null if there are no
   * numbers or the value does not fit a double.
   */
  totals(count: number, ones = 0): { total: number | null; mean: number | null } {
    if (count === 0) return { total: null, mean: null }
    const positive = this.#positive.toInteger() + (BigInt(ones) << BigInt(-SMALLEST_EXPONENT))
    const negative = this.#negative.toInteger()
    const difference = positive - negative
    const size = difference < 0n ? -difference : difference
    const sum = size * ROUNDING_FACTOR < positive + negative ? 0n : difference
    return { total: roundStatistic(divide(sum, 1n)), mean: roundStatistic(divide(sum, BigInt(count))) }
  }

  /** Equal sums of positive numbers and of negative numbers have the same text. */
  toText(): string {
    const negative = this.#negative.toInteger()
    const positive = formatInteger(this.#positive.toInteger())
    return negative === 0n ? positive : `${positive}-${formatInteger(negative)}`
  }
}

/** The exact sum of numbers that are not negative, in units of the smallest double. */
class Accumulator {
  #sum: bigint
  /** Numbers that are not in `#sum` yet. Created when it is needed, because most sums of an evaluation do not change. */
  #limbs: Float64Array | undefined
  #pendingCount = 0

  constructor(sum: bigint) {
    this.#sum = sum
  }

  add(number: number, sign: 1 | -1): void {
    if (number === 0) return
    this.#limbs ??= new Float64Array(LIMB_COUNT)
    BITS.setFloat64(0, number)
    const [high, low] = [BITS.getUint32(0), BITS.getUint32(4)]
    const exponent = high >>> 20
    // Subnormal numbers have no implicit leading bit.
    const mantissa = exponent === 0 ? high : (high & 0xfffff) | 0x100000
    const shift = Math.max(exponent, 1) - 1
    const [index, bit] = [shift >>> 5, shift & 31]
    const [lowCarry, highCarry] = bit === 0 ? [0, 0] : [low >>> (32 - bit), mantissa >>> (32 - bit)]
    this.#addToLimb(index, sign * ((low << bit) >>> 0))
    this.#addToLimb(index + 1, sign * (lowCarry + ((mantissa << bit) >>> 0)))
    this.#addToLimb(index + 2, sign * highCarry)
    this.#pendingCount += 1
    if (this.#pendingCount === MAX_PENDING) this.toInteger()
  }

  addInteger(integer: bigint): void {
    this.#sum += integer
  }

  #addToLimb(index: number, part: number): void {
    const limbs = this.#limbs as Float64Array
    limbs[index] = (limbs[index] as number) + part
  }

  toInteger(): bigint {
    if (this.#pendingCount === 0) return this.#sum
    const limbs = this.#limbs as Float64Array
    for (const [index, limb] of limbs.entries())
      if (limb !== 0) this.#sum += BigInt(limb) << BigInt(LIMB_BITS * index)
    limbs.fill(0)
    this.#pendingCount = 0
    return this.#sum
  }
}

const LIMB_BITS = 32
/** The largest double has 2098 bits. */
const LIMB_COUNT = 66
/** Each number adds less than 2 ** 33 to a limb, which is exact up to 2 ** 53. */
const MAX_PENDING = 2 ** 20
const BITS = new DataView(new ArrayBuffer(8))

/** The quotient of two integers in units of the smallest double, as a double. Infinite if it does not fit. */
function divide(dividend: bigint, divisor: bigint): number {
  if (dividend < 0n) return -divide(-dividend, divisor)
  if (dividend === 0n) return 0
  const shift = bitLength(dividend) - bitLength(divisor) - QUOTIENT_BITS
  const scaled = shift > 0 ? dividend >> BigInt(shift) : dividend << BigInt(-shift)
  const exponent = shift + SMALLEST_EXPONENT
  // In two steps, because the power of two alone can overflow or underflow.
  const half = Math.trunc(exponent / 2)
  return Number(scaled / divisor) * 2 ** half * 2 ** (exponent - half)
}

/** Rounded up to a multiple of 4. */
function bitLength(integer: bigint): number {
  return integer.toString(16).length * 4
}

/** Hexadecimal digits, without the zeros at the end, and their number: `1f@268`. Most sums end with many zeros. */
function formatInteger(integer: bigint): string {
  const digits = integer.toString(16)
  const significant = digits.replace(/0+$/, '')
  return significant === '' ? '0' : `${significant}@${digits.length - significant.length}`
}

function parseInteger(text: string): bigint {
  const [digits, zeros = '0'] = text.split('@')
  return BigInt(`0x${digits}`) << BigInt(4 * Number(zeros))
}
