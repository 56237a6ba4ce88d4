// Sets sums that are zero except for rounding errors to 0, so that SQLite and PostgreSQL agree.

const RELATIVE_TOLERANCE = 1e-12

/** Returns 0 if the sum is negligible compared to its terms. `absoluteSum` is the sum of their absolute values. */
export function roundToZero(sum: number, absoluteSum: number): number {
  return Math.abs(sum) < RELATIVE_TOLERANCE * absoluteSum ? 0 : sum
}
