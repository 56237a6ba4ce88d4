// The beta distribution and the quantiles that follow from it: Student's t, and confidence intervals of a proportion. Uses no
// database.

/** The regularized incomplete beta function: the probability that a beta variable with the parameters a and b is below x. */
export function betaProbability(x: number, a: number, b: number, constant = logConstant(a, b)): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The fraction converges fast below the mean.
  return x * (a + b) < a ? lowerTail(x, a, b, constant) : 1 - lowerTail(1 - x, b, a, constant)
}

/** Rounding errors of the probability prevent a more exact quantile. */
const MAX_STEPS = 200

/** The x at which betaProbability is `probability`. Newton's method; a step that leaves the known bounds bisects them instead. */
export function betaQuantile(probability: number, a: number, b: number): number {
  const constant = logConstant(a, b)
  let [low, high, x] = [0, 1, a / (a + b)]
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const difference = betaProbability(x, a, b, constant) - probability
    if (difference === 0) return x
    if (difference < 0) low = x
    else high = x
    const density = kernel(x, a, b, constant) / (x * (1 - x))
    const newtonStep = x - difference / density
    const next = newtonStep > low && newtonStep < high ? newtonStep : (low + high) / 2
    if (Math.abs(next - x) <= Number.EPSILON * x) return next
    x = next
  }
  return x
}

/** How many standard errors a two-sided interval of Student's t distribution extends to each side. */
export function studentQuantile(confidence: number, degreesOfFreedom: number): number {
  // The complement of the fraction, which is close to 0: subtracting it from 1 would lose its digits.
  const complement = betaQuantile(1 - confidence, degreesOfFreedom / 2, 0.5)
  return Math.sqrt((degreesOfFreedom * (1 - complement)) / complement)
}

/** The exact confidence interval of a proportion (Clopper and Pearson), from `count` successes of `total`. */
export function proportionInterval(
  count: number,
  total: number,
  confidence: number,
): [low: number, high: number] {
  const tail = (1 - confidence) / 2
  const lowerBound = (successes: number) =>
    successes === 0 ? 0 : betaQuantile(tail, successes, total - successes + 1)
  return [lowerBound(count), 1 - lowerBound(total - count)]
}

/** Later terms of the fraction change it by less than rounding errors do. */
const CONVERGED = 4 * Number.EPSILON

/** The probability below x, for an x below the mean. A continued fraction, by Lentz's method. */
function lowerTail(x: number, a: number, b: number, constant: number): number {
  let [c, d] = [1, 1 / nonZero(1 - ((a + b) * x) / (a + 1))]
  let fraction = d
  for (let m = 1; ; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    let change = 1
    for (const term of [even, odd]) {
      d = 1 / nonZero(1 + term * d)
      c = nonZero(1 + term / c)
      change *= c * d
    }
    fraction *= change
    // Ends for NaN, too.
    if (!(Math.abs(change - 1) > CONVERGED)) return (kernel(x, a, b, constant) * fraction) / a
  }
}

function nonZero(number: number): number {
  return number === 0 ? Number.MIN_VALUE : number
}

/**
 * x^a (1 - x)^b / B(a, b). The large terms of the gamma functions are canceled beforehand, because subtracting them would
 * lose most digits. `constant` is the part that does not depend on x.
 */
function kernel(x: number, a: number, b: number, constant: number): number {
  const distance = x * b - (1 - x) * a
  const logX = logRatio(x * ((a + b) / a), distance / a)
  const logComplement = logRatio((1 - x) * ((a + b) / b), -distance / b)
  return Math.exp(a * logX + b * logComplement + constant)
}

/** The logarithm of a ratio. Close to 1, `excess` is more exact: the ratio minus 1. */
function logRatio(ratio: number, excess: number): number {
  return Math.abs(excess) < 0.5 ? Math.log1p(excess) : Math.log(ratio)
}

function logConstant(a: number, b: number): number {
  const errors = stirlingError(a + b) - stirlingError(a) - stirlingError(b)
  return errors + 0.5 * Math.log((a * b) / (a + b) / (2 * Math.PI))
}

/** From here on, five terms of Stirling's series have the precision of a double. */
const MIN_SERIES = 15

/** The logarithm of the gamma function minus Stirling's approximation (z - 1/2) log z - z + log(2π) / 2. */
function stirlingError(z: number): number {
  let error = 0
  for (; z < MIN_SERIES; z += 1) error += (z + 0.5) * Math.log1p(1 / z) - 1
  const square = z * z
  const series = 1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square
  return error + series / z
}
