// Rounding of computed numbers, and numbers that do not fit a double.

const RELATIVE_TOLERANCE = 1e-12

/**
 * Returns 0 if the sum is zero except for rounding errors, so that SQLite and PostgreSQL agree. `absoluteSum` is the sum
 * of the absolute values of its terms.
 */
export function roundToZero(sum: number, absoluteSum: number): number {
  return Math.abs(sum) < RELATIVE_TOLERANCE * absoluteSum ? 0 : sum
}

/** Null for other values, and for numbers outside the range of a double. */
export function finiteOrNull(value: unknown): number | null {
  return Number.isFinite(value) ? (value as number) : null
}
