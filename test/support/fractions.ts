// Exact arithmetic with fractions.
import { quotient, squareRoot } from './exact-statistics.ts'

/** A quotient of integers. */
export class Fraction {
  readonly top: bigint
  readonly bottom: bigint
  constructor(top: bigint | number, bottom: bigint | number = 1) {
    const sign = BigInt(bottom) < 0n ? -1n : 1n
    this.top = BigInt(top) * sign
    this.bottom = BigInt(bottom) * sign
  }
  plus({ top, bottom }: Fraction): Fraction {
    return new Fraction(this.top * bottom + top * this.bottom, this.bottom * bottom)
  }
  minus({ top, bottom }: Fraction): Fraction {
    return this.plus(new Fraction(-top, bottom))
  }
  times({ top, bottom }: Fraction): Fraction {
    return new Fraction(this.top * top, this.bottom * bottom)
  }
  over({ top, bottom }: Fraction): Fraction {
    return this.times(new Fraction(bottom, top))
  }
  get squared(): Fraction {
    return this.times(this)
  }
  get value(): number {
    return quotient(this.top, this.bottom, 0)
  }
  get root(): number {
    return quotient(squareRoot((this.top << 400n) / this.bottom), 1n, 200)
  }
}
export const ONE = new Fraction(1)
export const sumOf = (fractions: Fraction[]) => fractions.reduce((sum, one) => sum.plus(one), new Fraction(0))
