// The standard normal distribution. Uses no database.

/** From here on, the continued fraction has the precision of a double. Below, the series has it. */
const MIN_FRACTION = 3
const FRACTION_TERMS = 80

/** The probability that a standard normal variable is above z. */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z)
  if (z < MIN_FRACTION) return 0.5 - normalDensity(z) * seriesSum(z)
  let fraction = z
  for (let term = FRACTION_TERMS; term > 0; term -= 1) fraction = z + term / fraction
  return normalDensity(z) / fraction
}

/** How many standard errors a two-sided interval of the normal distribution extends to each side. */
export function normalQuantile(confidence: number): number {
  const tail = (1 - confidence) / 2
  let z = 0
  // Newton's method. The tail is convex above 0, so z only increases until rounding errors prevent it.
  for (;;) {
    const next = z + (normalTail(z) - tail) / normalDensity(z)
    if (!(next > z * (1 + Number.EPSILON))) return z
    z = next
  }
}

function normalDensity(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
}

/** z + z^3 / 3 + z^5 / (3 * 5) + … */
function seriesSum(z: number): number {
  let [term, sum] = [z, z]
  for (let divisor = 3; term > sum * Number.EPSILON; divisor += 2) {
    term *= (z * z) / divisor
    sum += term
  }
  return sum
}
