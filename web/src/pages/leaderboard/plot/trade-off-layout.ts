// Layout of the trade-off plot: scores on the y axis, a cost or latency on the x axis, and places for the names.
import { valueScale } from '../../../ui/charts/scales.ts'

export interface TradeOffPoint {
  id: string
  name: string
  /** The cost or latency. */
  measure: number
  score: number
  low: number
  high: number
  isOnFrontier: boolean
}

interface TradeOffOptions {
  width: number
  height: number
  /** The highest possible score. */
  maximum: number | undefined
  /** Formats a cost or latency. */
  format: (value: number) => string
}

const LEFT = 44
const RIGHT = 20
const TOP = 16
const BOTTOM = 28
const MARKER_PX = 6
/** The average width of a character of a name, and the height of a name. */
const CHARACTER_PX = 7
const NAME_PX = 14
const MAX_NAME_LENGTH = 18

export type TradeOffLayout = ReturnType<typeof tradeOffLayout>

export function tradeOffLayout(points: readonly TradeOffPoint[], options: TradeOffOptions) {
  const { width, height, maximum, format } = options
  const area = { left: LEFT, right: Math.max(LEFT + 1, width - RIGHT), top: TOP, bottom: height - BOTTOM }
  const scores = points.flatMap(({ low, high, score }) => [low, high, score])
  const { yOf, ticks } = valueScale(scores, { range: [area.bottom, area.top], tickCount: 6, maximum })
  const axis = measureScale(
    points.map(({ measure }) => measure),
    [area.left, area.right],
  )
  const placed = points.map((point) => ({
    ...point,
    x: axis.xOf(point.measure),
    y: yOf(point.score),
    lowY: yOf(point.low),
    highY: yOf(point.high),
  }))
  return {
    area,
    ticks,
    isLogarithmic: axis.isLogarithmic,
    measureTicks: axis.ticks.map((value) => ({ x: axis.xOf(value), label: format(value) })),
    points: placed,
    frontier: placed.filter(({ isOnFrontier }) => isOnFrontier).toSorted((a, b) => a.x - b.x),
    names: placeNames(placed, area),
  }
}

/** Logarithmic, because costs of models differ by orders of magnitude, unless a value is 0 or all are nearly the same. */
function measureScale(values: readonly number[], [left, right]: [left: number, right: number]) {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  if (lowest <= 0 || highest / lowest < 1.5) {
    const { yOf, tickValues: ticks } = valueScale(values, { range: [left, right], tickCount: 5 })
    return { isLogarithmic: false, xOf: yOf, ticks }
  }
  const [start, end] = [Math.log(lowest / 1.3), Math.log(highest * 1.3)]
  const xOf = (value: number) => left + ((Math.log(value) - start) / (end - start)) * (right - left)
  const ticks = roundNumbers(Math.exp(start), Math.exp(end))
  return { isLogarithmic: true, xOf, ticks }
}

/** 1, 2 and 5 times powers of ten between two numbers, or only the powers if there are many. */
function roundNumbers(from: number, to: number): number[] {
  const exponents = Array.from(
    { length: Math.ceil(Math.log10(to)) - Math.floor(Math.log10(from)) + 1 },
    (_, index) => Math.floor(Math.log10(from)) + index,
  )
  const steps = exponents.length > 4 ? [1] : [1, 2, 5]
  // Parsed, because 5 * 10 ** -3 has rounding errors.
  const numbers = exponents.flatMap((exponent) => steps.map((step) => Number(`${step}e${exponent}`)))
  return numbers.filter((number) => number >= from && number <= to)
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

type PlacedPoint = TradeOffPoint & Record<'x' | 'y' | 'lowY' | 'highY', number>

export interface PlacedName {
  id: string
  text: string
  x: number
  y: number
  anchor: 'start' | 'end'
  isOnFrontier: boolean
}

/** Next to its point where nothing else is. A name without a place is omitted: the tooltip of its point has it. */
function placeNames(points: readonly PlacedPoint[], area: Box): PlacedName[] {
  const taken: Box[] = points.flatMap(({ x, y, lowY, highY }) => [
    { left: x - MARKER_PX, right: x + MARKER_PX, top: y - MARKER_PX, bottom: y + MARKER_PX },
    { left: x - 3, right: x + 3, top: highY, bottom: lowY },
  ])
  const names: PlacedName[] = []
  // Those on the frontier choose first.
  for (const { id, name, x, y, isOnFrontier } of points.toSorted(
    (a, b) => Number(b.isOnFrontier) - Number(a.isOnFrontier),
  )) {
    const text = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name
    const width = text.length * CHARACTER_PX
    const places = [-10, 10, -22, 22, 0].flatMap((offset) =>
      (['end', 'start'] as const).map((anchor) => {
        const nameX = anchor === 'end' ? x - 10 : x + 10
        const left = anchor === 'end' ? nameX - width : nameX
        const middle = y + offset
        const box = { left, right: left + width, top: middle - NAME_PX / 2, bottom: middle + NAME_PX / 2 }
        return { nameX, middle, anchor, box }
      }),
    )
    const free = places.find(({ box }) => isInside(box, area) && !taken.some((other) => overlap(box, other)))
    if (!free) continue
    taken.push(free.box)
    names.push({ id, text, x: free.nameX, y: free.middle, anchor: free.anchor, isOnFrontier })
  }
  return names
}

function isInside(box: Box, area: Box): boolean {
  return box.left >= area.left && box.right <= area.right + RIGHT && box.top >= 0 && box.bottom <= area.bottom
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}
