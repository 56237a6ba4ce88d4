// Scales of charts: values on the y axis, columns of equal width on the x axis.
import { extent, nice, range, tickIncrement, ticks } from 'd3-array'

interface ValueScaleOptions {
  /** The pixels of the lowest and the highest value. */
  range: [bottom: number, top: number]
  tickCount: number
  /** Starts the axis at 0. */
  hasZero?: boolean | undefined
  /** The highest possible value, for example 100 for percentages. */
  maximum?: number | undefined
}

/** A scale with round limits that enclose all values, and its ticks. Values that are never negative have no negative ticks. */
export function valueScale(values: readonly number[], options: ValueScaleOptions) {
  const { tickCount, hasZero = false, maximum = Number.POSITIVE_INFINITY } = options
  const [bottom, top] = options.range
  const [lowest = 0, highest = 1] = extent(values)
  // Space for labels. A constant value is drawn in the middle.
  const padding = (highest - lowest) * 0.1 || Math.abs(highest) * 0.1 || 1
  const start = hasZero ? Math.min(0, lowest) : lowest - padding
  const end = hasZero ? Math.max(0, highest) : highest + padding
  const [niceLow, niceHigh] = nice(start, end > start ? end : 1, tickCount)
  const low = lowest >= 0 ? Math.max(0, niceLow) : niceLow
  const high = Math.min(niceHigh, Math.max(maximum, highest))
  const yOf = (value: number) => bottom + ((value - low) / (high - low)) * (top - bottom)
  const format = tickFormat(tickIncrement(low, high, tickCount))
  const tickValues = ticks(low, high, tickCount)
  return {
    yOf,
    tickValues,
    ticks: tickValues.map((value) => ({
      y: yOf(value),
      label: format.format(value).replace('-', '−'),
    })),
  }
}

/** The decimals of the distance between two ticks. Large numbers are compact: "1.5M". */
function tickFormat(step: number): Intl.NumberFormat {
  // Below 1, d3 returns the negative inverse, which is exact.
  const distance = step < 0 ? -1 / step : step
  if (distance >= 1e4) return new Intl.NumberFormat('en-US', { notation: 'compact' })
  const decimals = Math.min(20, Math.max(0, -Math.floor(Math.log10(distance))))
  return new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
}

export function columnScale(count: number, [left, right]: [left: number, right: number]) {
  const width = (right - left) / Math.max(1, count)
  return { width, xOf: (column: number) => left + (column + 0.5) * width }
}

/** The columns that get a label, if `fitting` labels fit: all, or else round positions with space, and always the last. */
export function labeledColumns(count: number, fitting: number): number[] {
  if (count <= fitting) return range(count)
  const last = count - 1
  const positions = ticks(1, count, Math.max(1, fitting / 2)).filter(Number.isInteger)
  const distance = (positions[1] ?? count) - (positions[0] ?? 0)
  const columns = positions.map((position) => position - 1).filter((column) => last - column > distance / 2)
  return [...columns, last]
}
