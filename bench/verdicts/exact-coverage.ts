// Coverage of intervals of verdicts without repeats, by enumeration: every outcome with its multinomial probability.

/** The interval for `n` rows of which some become higher and some lower. Mirrored if both are swapped. */
export type VerdictMethod = (n: number, higher: number, lower: number) => [low: number, high: number]

export interface Coverage {
  /** The probability that the interval contains the true change. */
  coverage: number
  /** The probability that the interval excludes 0. */
  significant: number
  /** The mean width of the interval. */
  width: number
}

/** Returns the coverage for given probabilities that a row becomes higher or lower. */
export function exactCoverage(n: number, method: VerdictMethod): (higher: number, lower: number) => Coverage {
  const outcomes = enumerateOutcomes(n, method)
  const logFactorials = new Float64Array(n + 1)
  for (let k = 1; k <= n; k += 1) logFactorials[k] = (logFactorials[k - 1] ?? 0) + Math.log(k)
  const logFactorial = (k: number) => logFactorials[k] ?? 0
  return (higher, lower) => {
    const logarithms = [higher, lower, 1 - higher - lower].map((chance) => Math.log(Math.max(0, chance)))
    const logPower = (index: number, count: number) => (count === 0 ? 0 : count * (logarithms[index] ?? 0))
    const change = higher - lower
    const result: Coverage = { coverage: 0, significant: 0, width: 0 }
    for (const [up, down, low, high] of outcomes) {
      const same = n - up - down
      const probability = Math.exp(
        logFactorial(n) -
          logFactorial(up) -
          logFactorial(down) -
          logFactorial(same) +
          logPower(0, up) +
          logPower(1, down) +
          logPower(2, same),
      )
      if (low <= change + ROUNDING && change - ROUNDING <= high) result.coverage += probability
      if (low > 0 || high < 0) result.significant += probability
      result.width += probability * (high - low)
    }
    return result
  }
}

/** A bound of -1 or 1 contains a change of the same size. */
const ROUNDING = 1e-12

function enumerateOutcomes(
  n: number,
  method: VerdictMethod,
): [up: number, down: number, low: number, high: number][] {
  const outcomes: [number, number, number, number][] = []
  for (let up = 0; up <= n; up += 1) {
    for (let down = up; up + down <= n; down += 1) {
      const [low, high] = method(n, up, down)
      outcomes.push([up, down, low, high])
      if (up !== down) outcomes.push([down, up, -high, -low])
    }
  }
  return outcomes
}

export interface GridSummary {
  /** The lowest coverage, and the probabilities for which it occurs. */
  coverage: number
  worst: [higher: number, lower: number]
  /** The highest probability of a significant difference if there is none. */
  falseAlarms: number
}

export function summarizeGrid(
  coverageOf: (higher: number, lower: number) => Coverage,
  grid: [number, number][],
): GridSummary {
  const summary: GridSummary = { coverage: 1, worst: [0, 0], falseAlarms: 0 }
  for (const [higher, lower] of grid) {
    const { coverage, significant } = coverageOf(higher, lower)
    if (coverage < summary.coverage) Object.assign(summary, { coverage, worst: [higher, lower] })
    if (higher === lower) summary.falseAlarms = Math.max(summary.falseAlarms, significant)
  }
  return summary
}

const ONE_DIRECTION = [0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9]

/**
 * Probabilities that a row becomes higher and lower: changes in one direction only, and in both up to the change of all rows.
 * `steps` is the resolution of the latter.
 */
export function changeGrid(n: number, steps: number): [higher: number, lower: number][] {
  const expected = [0.5, 1, 2, 3, 5, 8].filter((count) => count < n).map((count) => count / n)
  const grid = [...ONE_DIRECTION, ...expected].map((lower): [number, number] => [0, lower])
  for (const lower of expected) if (lower <= 0.5) grid.push([lower / 2, lower], [lower, lower])
  for (let higher = 0; higher <= steps; higher += 1)
    for (let lower = Math.max(1, higher); higher + lower <= steps; lower += 1)
      grid.push([higher / steps, lower / steps])
  return grid
}
