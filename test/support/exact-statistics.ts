// Means and standard errors of paired numbers in exact arithmetic: doubles are integer multiples of the smallest.

export interface ExactStatistics {
  n: number
  base_mean: number
  mean: number
  delta: number
  /** The standard error of `delta`. NaN for fewer than two pairs. */
  error: number
  /** The mean absolute values, as a scale for rounding errors. */
  sizes: { baseline: number; candidate: number; delta: number }
}

export interface ExactPair {
  baseline: number
  candidate: number
}

/** The smallest positive double is 2 ** -SMALLEST_EXPONENT. */
export const SMALLEST_EXPONENT = 1074

export function exactStatistics(pairs: ExactPair[]): ExactStatistics {
  const [baseline, candidate] = [
    pairs.map((pair) => toInteger(pair.baseline)),
    pairs.map((pair) => toInteger(pair.candidate)),
  ]
  const deltas = candidate.map((number, row) => number - (baseline[row] ?? 0n))
  const n = BigInt(pairs.length)
  const mean = (numbers: bigint[]) => (n === 0n ? Number.NaN : quotient(total(numbers), n, SMALLEST_EXPONENT))
  const size = (numbers: bigint[]) => mean(numbers.map(absolute))
  const deviations = deltas.map((delta) => delta * n - total(deltas))
  return {
    n: pairs.length,
    base_mean: mean(baseline),
    mean: mean(candidate),
    delta: mean(deltas),
    error: n < 2n ? Number.NaN : standardError(deviations, n),
    sizes: { baseline: size(baseline), candidate: size(candidate), delta: size(deltas) },
  }
}

/** SE² = Σ deviation² / (n (n - 1)). The deviations passed in are multiplied by n. */
function standardError(deviations: bigint[], n: bigint): number {
  const squares = total(deviations.map((one) => one * one))
  const root = squareRoot((squares << 200n) / (n * (n - 1n)))
  return quotient(root, n, SMALLEST_EXPONENT + 100)
}

/** The total and the mean, with 12 digits. Null if there are no numbers or the value does not fit a double. */
export function exactTotals(numbers: number[]): { total: number | null; mean: number | null } {
  if (numbers.length === 0) return { total: null, mean: null }
  const integers = numbers.map(toInteger)
  const sum = total(integers)
  // Only rounding errors of the numbers remain.
  const isZero = absolute(sum) * 10n ** 12n < total(integers.map(absolute))
  const rounded = (count: number) => {
    const value = isZero ? 0 : quotient(sum, BigInt(count), SMALLEST_EXPONENT)
    return Number.isFinite(value) ? Number(value.toPrecision(12)) : null
  }
  return { total: rounded(1), mean: rounded(numbers.length) }
}

export function total(numbers: bigint[]): bigint {
  return numbers.reduce((sum, number) => sum + number, 0n)
}

export function absolute(number: bigint): bigint {
  return number < 0n ? -number : number
}

/** The number as an integer multiple of the smallest double. */
export function toInteger(number: number): bigint {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, number)
  const word = bits.getBigUint64(0)
  const [exponent, fraction] = [(word >> 52n) & 0x7ffn, word & 0xfffffffffffffn]
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n)
  return number < 0 ? -size : size
}

/** a / b · 2^-exponent, rounded to a double. */
export function quotient(a: bigint, b: bigint, exponent: number): number {
  // A small quotient has as many digits as a large one.
  const shift = 120 + Math.max(0, b.toString(2).length - absolute(a).toString(2).length)
  let [digits, scale] = [(absolute(a) << BigInt(shift)) / b, -exponent - shift]
  while (digits >= 1n << 64n) {
    digits >>= 1n
    scale += 1
  }
  // In two steps, because the power of two alone can overflow or underflow.
  const half = Math.trunc(scale / 2)
  const size = Number(digits) * 2 ** half * 2 ** (scale - half)
  return a < 0n ? -size : size
}

export function squareRoot(square: bigint): bigint {
  if (square < 2n) return square
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2))
  for (;;) {
    const next = (root + square / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/** The two-sided p-value of McNemar's exact test, from binomial coefficients. */
export function exactMcNemarPValue(worse: number, better: number): number {
  const changed = BigInt(worse + better)
  let [term, sum] = [1n, 0n]
  for (let k = 0n; k <= BigInt(Math.min(worse, better)); k += 1n) {
    sum += term
    term = (term * (changed - k)) / (k + 1n)
  }
  return Math.min(1, 2 * quotient(sum, 1n << changed, 0))
}

/** Whether the p-value of McNemar's exact test, multiplied by the number of tests, is at most 0.05. In integers. */
export function isExactMcNemarSignificant(worse: number, better: number, tests: number): boolean {
  const changed = worse + better
  const tail = binomialTerms(changed).slice(0, Math.min(worse, better) + 1)
  return 2n * total(tail) * BigInt(tests) * 20n <= 1n << BigInt(changed)
}

/** The probability of at least `count` successes of `tries`, each with this probability. */
export function exactBinomialTail(tries: number, count: number, probability: number): number {
  // As a fraction of integers.
  const denominator = 1n << BigInt(SMALLEST_EXPONENT)
  const success = toInteger(probability)
  const failure = denominator - success
  // Powers have 2000 bits after the point, more than enough for a double.
  const [successPowers, failurePowers] = [success, failure].map((base) => fixedPowers(base, tries)) as [
    bigint[],
    bigint[],
  ]
  const terms = binomialTerms(tries).map(
    (term, successes) =>
      (term * (successPowers[successes] ?? 0n) * (failurePowers[tries - successes] ?? 0n)) >> 2000n,
  )
  return quotient(total(terms.slice(count)), 1n << 2000n, 0)
}

/** The powers of a number of 2 ** -1074 units, as integer multiples of 2 ** -2000. */
function fixedPowers(units: bigint, count: number): bigint[] {
  const base = units << (2000n - BigInt(SMALLEST_EXPONENT))
  const powers = [1n << 2000n]
  for (let power = 1; power <= count; power += 1) powers.push(((powers[power - 1] ?? 0n) * base) >> 2000n)
  return powers
}

/** The binomial coefficients of a number. */
function binomialTerms(number: number): bigint[] {
  const terms = [1n]
  for (let k = 1; k <= number; k += 1) terms.push(((terms[k - 1] ?? 0n) * BigInt(number - k + 1)) / BigInt(k))
  return terms
}
