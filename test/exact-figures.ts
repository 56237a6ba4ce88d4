// Means and intervals of paired numbers by exact arithmetic: every double is a whole number of the smallest one.

export interface ExactFigures {
  n: number
  base_mean: number
  mean: number
  delta: number
  interval: [number, number] | undefined
  /** The mean without signs of each, which rounding is measured against. */
  sizes: { base: number; candidate: number; delta: number }
}

export interface ExactPair {
  base: number
  candidate: number
  cluster: unknown
}

/** The exponent of the smallest double. */
const SMALLEST = 1074

export function exactFigures(pairs: ExactPair[]): ExactFigures {
  const [base, candidate] = [
    pairs.map((pair) => whole(pair.base)),
    pairs.map((pair) => whole(pair.candidate)),
  ]
  const deltas = candidate.map((number, row) => number - (base[row] ?? 0n))
  const n = BigInt(pairs.length)
  const mean = (numbers: bigint[]) => (n === 0n ? Number.NaN : quotient(total(numbers), n, SMALLEST))
  const size = (numbers: bigint[]) => mean(numbers.map(absolute))
  const clusters = new Map<unknown, bigint>()
  for (const [row, { cluster }] of pairs.entries()) {
    const off = (deltas[row] ?? 0n) * n - total(deltas)
    clusters.set(cluster, (clusters.get(cluster) ?? 0n) + off)
  }
  return {
    n: pairs.length,
    base_mean: mean(base),
    mean: mean(candidate),
    delta: mean(deltas),
    interval: clusters.size < 2 ? undefined : interval(mean(deltas), [...clusters.values()], n),
    sizes: { base: size(base), candidate: size(candidate), delta: size(deltas) },
  }
}

/** SE² = G / (G - 1) · Σ off² / n², and `off` is n times too large. */
function interval(delta: number, off: bigint[], n: bigint): [number, number] {
  const groups = BigInt(off.length)
  const squares = groups * total(off.map((one) => one * one))
  const root = squareRoot((squares << 200n) / (groups - 1n))
  const error = quotient(root, n * n, SMALLEST + 100)
  return [delta - 1.96 * error, delta + 1.96 * error]
}

function total(numbers: bigint[]): bigint {
  return numbers.reduce((sum, number) => sum + number, 0n)
}

function absolute(number: bigint): bigint {
  return number < 0n ? -number : number
}

function whole(number: number): bigint {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, number)
  const word = bits.getBigUint64(0)
  const [exponent, fraction] = [(word >> 52n) & 0x7ffn, word & 0xfffffffffffffn]
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n)
  return number < 0 ? -size : size
}

/** a / b · 2^-exponent. */
function quotient(a: bigint, b: bigint, exponent: number): number {
  let [digits, scale] = [(absolute(a) << 120n) / b, -exponent - 120]
  while (digits >= 1n << 64n) {
    digits >>= 1n
    scale += 1
  }
  // In two steps: a power of two by itself may be outside of the range where the product is not.
  const half = Math.trunc(scale / 2)
  const size = Number(digits) * 2 ** half * 2 ** (scale - half)
  return a < 0n ? -size : size
}

function squareRoot(square: bigint): bigint {
  if (square < 2n) return square
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2))
  for (;;) {
    const next = (root + square / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/** The exact test of McNemar, two-sided, by Pascal's triangle. */
export function exactChance(worse: number, better: number): number {
  const changed = BigInt(worse + better)
  let [term, sum] = [1n, 0n]
  for (let chosen = 0n; chosen <= BigInt(Math.min(worse, better)); chosen += 1n) {
    sum += term
    term = (term * (changed - chosen)) / (chosen + 1n)
  }
  return Math.min(1, 2 * quotient(sum, 1n << changed, 0))
}
