// What rounding leaves of sums: two engines, or two orders of adding up, agree on figures to twelve digits.

const ROUNDING = 1e-12

/** A sum that is so small beside what was added up is zero; `size` is the sum of the sizes. */
export function settled(sum: number, size: number): number {
  return Math.abs(sum) < ROUNDING * size ? 0 : sum
}
