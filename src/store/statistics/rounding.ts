// Removes rounding errors from sums, so that both engines and any order of addition give equal statistics.

const RELATIVE_TOLERANCE = 1e-12

/** Returns 0 if the sum is negligible compared to its terms. `size` is the sum of their absolute values. */
export function roundToZero(sum: number, size: number): number {
  return Math.abs(sum) < RELATIVE_TOLERANCE * size ? 0 : sum
}
