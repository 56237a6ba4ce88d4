// Fisher's exact test of two pass rates. Uses no database.

/** Tables that are exactly as probable as the observed one can differ from it by rounding errors. */
const TOLERANCE = 1e-7

/**
 * The two-sided p-value: the probability of all tables with the same totals that are at most as probable as the observed one,
 * if both rates are equal.
 */
export function fisherExact(passesA: number, countA: number, passesB: number, countB: number): number {
  const passes = passesA + passesB
  const [first, last] = [Math.max(0, passes - countB), Math.min(passes, countA)]
  const weights = tableWeights(first, last, passes, countA, countB)
  const limit = (weights[passesA - first] as number) * (1 + TOLERANCE)
  let [total, extreme] = [0, 0]
  for (const weight of weights) {
    total += weight
    if (weight <= limit) extreme += weight
  }
  return Math.min(1, extreme / total)
}

/** The probabilities of `first` to `last` passes of A, as multiples of the largest one. */
function tableWeights(
  first: number,
  last: number,
  passes: number,
  countA: number,
  countB: number,
): Float64Array {
  const weights = new Float64Array(last - first + 1)
  const mode = Math.floor(((passes + 1) * (countA + 1)) / (countA + countB + 2))
  const start = Math.min(last, Math.max(first, mode))
  weights[start - first] = 1
  for (let k = start; k < last; k += 1) {
    const ratio = ((countA - k) * (passes - k)) / ((k + 1) * (countB - passes + k + 1))
    weights[k + 1 - first] = (weights[k - first] as number) * ratio
  }
  for (let k = start; k > first; k -= 1) {
    const ratio = (k * (countB - passes + k)) / ((countA - k + 1) * (passes - k + 1))
    weights[k - 1 - first] = (weights[k - first] as number) * ratio
  }
  return weights
}
