// The distribution of numbers: mean, range, quantiles and histogram bins. Uses no database.
import { roundStatistic } from './rounding.ts'
import { computeTotals } from './sums.ts'

/** Statistics are null if there are no numbers or the value does not fit a double. */
export interface Distribution {
  total: number | null
  mean: number | null
  minimum: number | null
  maximum: number | null
  quantiles: Record<keyof typeof FRACTIONS, number | null>
  bins: Bin[]
}

/** The count of numbers from `from` (inclusive) to `to` (exclusive). The last bin includes `to`. */
export interface Bin {
  from: number
  to: number
  count: number
}

const FRACTIONS = { p05: 0.05, p25: 0.25, p50: 0.5, p75: 0.75, p95: 0.95 }
const BIN_COUNT = 20

/** Sorts the numbers in place, so that the result does not depend on their order. */
export function describeNumbers(numbers: Float64Array): Distribution {
  const sorted = numbers.sort()
  const quantiles = Object.entries(FRACTIONS).map(([name, fraction]) => [
    name,
    findQuantile(sorted, fraction),
  ])
  return {
    ...computeTotals(sorted),
    minimum: sorted[0] ?? null,
    maximum: sorted.at(-1) ?? null,
    quantiles: Object.fromEntries(quantiles) as Distribution['quantiles'],
    bins: computeBins(sorted),
  }
}

/** The quantile of sorted numbers, linearly interpolated. Null if there are none. */
export function findQuantile(sorted: Float64Array, fraction: number): number | null {
  const rank = fraction * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]]
  if (low === undefined || high === undefined) return null
  // A value of the data is not rounded, like the minimum and the maximum.
  return low === high ? low : roundStatistic(low + (high - low) * (rank % 1))
}

/** A single bin if all numbers are equal. */
function computeBins(sorted: Float64Array): Bin[] {
  const [minimum, maximum] = [sorted[0], sorted.at(-1)]
  if (minimum === undefined || maximum === undefined) return []
  if (minimum === maximum) return [{ from: minimum, to: maximum, count: sorted.length }]
  const edges = [minimum, ...computeInnerEdges(minimum, maximum), maximum]
  const counts = new Array<number>(BIN_COUNT).fill(0)
  let bin = 0
  for (const number of sorted) {
    while (bin < BIN_COUNT - 1 && number >= (edges[bin + 1] as number)) bin += 1
    counts[bin] = (counts[bin] as number) + 1
  }
  return counts.map((count, index) => ({
    from: edges[index] as number,
    to: edges[index + 1] as number,
    count,
  }))
}

/** The boundaries between bins. They are rounded unless the bins are too narrow for that. */
function computeInnerEdges(minimum: number, maximum: number): number[] {
  const width = maximum / BIN_COUNT - minimum / BIN_COUNT
  const isWide = width > 1e-10 * Math.max(Math.abs(minimum), Math.abs(maximum))
  return Array.from({ length: BIN_COUNT - 1 }, (_, index) => {
    const fraction = (index + 1) / BIN_COUNT
    const difference = minimum + (maximum - minimum) * fraction
    const edge = Number.isFinite(difference) ? difference : minimum * (1 - fraction) + maximum * fraction
    return isWide ? (roundStatistic(edge) ?? edge) : edge
  })
}
