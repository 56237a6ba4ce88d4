// Scales of charts: values on the y axis, columns of equal width on the x axis.
import { extent, range, tickIncrement, ticks } from 'd3-array'
import { scaleBand, scaleLinear } from 'd3-scale'

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
  const { range, tickCount, hasZero = false, maximum = Number.POSITIVE_INFINITY } = options
  const [lowest = 0, highest = 1] = extent(values)
  // Space for labels. A constant value is drawn in the middle.
  const padding = (highest - lowest) * 0.1 || Math.abs(highest) * 0.1 || 1
  const low = hasZero ? Math.min(0, lowest) : lowest - padding
  const scale = scaleLinear()
    .domain([low, hasZero ? highest || 1 : highest + padding])
    .nice(tickCount)
    .range(range)
  const [first = 0, last = 1] = scale.domain()
  scale.domain([lowest >= 0 ? Math.max(0, first) : first, Math.min(last, Math.max(maximum, highest))])
  const tickValues = scale.ticks(tickCount)
  const format = tickFormat(tickIncrement(...(scale.domain() as [number, number]), tickCount))
  return {
    yOf: (value: number) => scale(value),
    ticks: tickValues.map((value) => ({ y: scale(value), label: format.format(value).replace('-', '−') })),
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
  const scale = scaleBand<number>().domain(range(count)).range([left, right])
  const width = scale.bandwidth()
  return { width, xOf: (column: number) => (scale(column) ?? left) + width / 2 }
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
