// The change between two pass rates of the same rows, if rows have repeats. Uses no database.
import { studentQuantile } from './beta-distribution.ts'
import { normalQuantile } from './normal-distribution.ts'

/** Sums over the changes of rows, each from -1 to 1. */
export interface RepeatedChanges {
  n: number
  sum: number
  squareSum: number
}

/**
 * Student's t over the rows and some added rows that change fully, as many in each direction (the method of D. G. Bonett &
 * R. M. Price, J. Educational and Behavioral Statistics 37 (2012), 479–488, which adds one each). Without them the interval is
 * too short if few rows change a lot: such rows are often not among the observed ones.
 */
export function repeatedInterval(changes: RepeatedChanges, confidence: number): [low: number, high: number] {
  const { mean, margin } = estimateChange(changes, quantilesOf(changes.n, confidence))
  return [Math.max(-1, mean - margin), Math.min(1, mean + margin)]
}

export interface Quantiles {
  student: number
  /** How many rows are added in each direction. */
  added: number
}

/**
 * How many rows are added in each direction: 1.3 at 95 %. A third of the square of z is the smallest simple multiple for which
 * intervals contain the true change in at least 94 % of the cases. Longer intervals need more rows, like those of Agresti and Coull.
 */
export function addedRows(confidence: number): number {
  return normalQuantile(confidence) ** 2 / 3
}

export function quantilesOf(n: number, confidence: number): Quantiles {
  return { student: studentQuantile(confidence, n - 1), added: addedRows(confidence) }
}

export function estimateChange({ n, sum, squareSum }: RepeatedChanges, { student, added }: Quantiles) {
  const total = n + 2 * added
  const mean = sum / total
  const variance = Math.max(0, (squareSum + 2 * added) / total - mean * mean)
  return { mean, margin: student * Math.sqrt(variance / (total - 1)) }
}

const POWER_QUANTILE = normalQuantile(0.6)
/** The result has an error of at most 2 ** -STEPS. */
const STEPS = 30

/**
 * The smallest true change for which this interval excludes 0 with a probability of 80 %, if rows change fully and the other
 * rows vary like the observed ones. A change that is spread over all rows is detected with a higher probability. Null if there
 * is none.
 */
export function detectableRepeatedChange(
  { n, squareSum }: RepeatedChanges,
  confidence: number,
): number | null {
  const quantiles = quantilesOf(n, confidence)
  const isDetected = (change: number) => {
    const square = Math.min(1, squareSum / n + change)
    const deviation = Math.sqrt(Math.max(0, square - change * change) / n)
    const sum = n * (change - POWER_QUANTILE * deviation)
    // If fewer rows change than expected, the rows also vary less.
    const { mean, margin } = estimateChange({ n, sum, squareSum: squareSum + sum }, quantiles)
    return mean > margin
  }
  if (!isDetected(1)) return null
  let [low, high] = [0, 1]
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2
    if (isDetected(middle)) high = middle
    else low = middle
  }
  return high
}
