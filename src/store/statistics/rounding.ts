// Rounding of computed numbers, and numbers that do not fit a double.

const RELATIVE_TOLERANCE = 1e-12
/** Further digits of a statistic are rounding errors. */
const SIGNIFICANT_DIGITS = 12

/** Rounds a statistic of a response. Null for other values, and for numbers outside the range of a double. */
export function roundStatistic(value: unknown): number | null {
  const number = finiteOrNull(value)
  return number === null ? null : Number(number.toPrecision(SIGNIFICANT_DIGITS))
}

/** Rounds a fraction of two counts. Null if the second one is 0. */
export function roundRate(count: number, total: number): number | null {
  return total === 0 ? null : roundStatistic(count / total)
}

/** Returns 0 if the sum is zero except for rounding errors. `absoluteSum` is the sum of the absolute values of its terms. */
export function roundToZero(sum: number, absoluteSum: number): number {
  return Math.abs(sum) < RELATIVE_TOLERANCE * absoluteSum ? 0 : sum
}

/** Null for other values, and for numbers outside the range of a double. */
export function finiteOrNull(value: unknown): number | null {
  return Number.isFinite(value) ? (value as number) : null
}
