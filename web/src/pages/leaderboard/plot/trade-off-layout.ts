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
/** The average width of a character of a tick label, and the least space between two labels. */
const TICK_CHARACTER_PX = 6.5
const TICK_GAP_PX = 10
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
    measureTicks: chooseTicks(
      axis.ticks.map((values) => values.map((value) => ({ x: axis.xOf(value), label: format(value) }))),
      area,
    ),
    points: placed,
    frontier: placed.filter(({ isOnFrontier }) => isOnFrontier).toSorted((a, b) => a.x - b.x),
    names: placeNames(placed, area),
  }
}

/** Logarithmic, because costs of models differ by orders of magnitude, unless a value is 0 or all are nearly the same. */
function measureScale(values: readonly number[], [left, right]: [left: number, right: number]) {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  if (lowest <= 0 || highest / lowest < 1.5) {
    const scales = [5, 3, 2].map((tickCount) => valueScale(values, { range: [left, right], tickCount }))
    const [{ yOf }] = scales as [(typeof scales)[0]]
    return { isLogarithmic: false, xOf: yOf, ticks: scales.map(({ tickValues }) => tickValues) }
  }
  const [start, end] = [Math.log(lowest / 1.3), Math.log(highest * 1.3)]
  const xOf = (value: number) => left + ((Math.log(value) - start) / (end - start)) * (right - left)
  const ticks = LOG_STEPS.map((steps) => roundNumbers(steps, Math.exp(start), Math.exp(end)))
  return { isLogarithmic: true, xOf, ticks }
}

/** The ticks of a power of ten, from many to few. */
const LOG_STEPS = [[1, 2, 5], [1, 3], [1]]

function roundNumbers(steps: readonly number[], from: number, to: number): number[] {
  const exponents = Array.from(
    { length: Math.ceil(Math.log10(to)) - Math.floor(Math.log10(from)) + 1 },
    (_, index) => Math.floor(Math.log10(from)) + index,
  )
  // Parsed, because 5 * 10 ** -3 has rounding errors.
  const numbers = exponents.flatMap((exponent) => steps.map((step) => Number(`${step}e${exponent}`)))
  return numbers.filter((number) => number >= from && number <= to)
}

interface Tick {
  x: number
  label: string
}

/** The first ticks whose labels have space, or the last ones. Labels at the ends stay inside of the drawing. */
function chooseTicks(choices: readonly Tick[][], { left, right }: Box): Tick[] {
  const halfOf = ({ label }: Tick) => (label.length * TICK_CHARACTER_PX) / 2
  const inside = choices.map((ticks) =>
    ticks.filter((tick) => tick.x - halfOf(tick) >= left - LEFT && tick.x + halfOf(tick) <= right + RIGHT),
  )
  const hasSpace = (ticks: Tick[]) =>
    ticks.every((tick, index) => {
      const next = ticks[index + 1]
      return !next || tick.x + halfOf(tick) + TICK_GAP_PX <= next.x - halfOf(next)
    })
  return inside.find((ticks) => ticks.length > 1 && hasSpace(ticks)) ?? inside.at(-1) ?? []
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
  for (const { id, name, x, y, lowY, highY, isOnFrontier } of points.toSorted(
    (a, b) => Number(b.isOnFrontier) - Number(a.isOnFrontier),
  )) {
    const text = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name
    const width = text.length * CHARACTER_PX
    const beside = [y - 10, y + 10, y - 22, y + 22, y].map((middle) => ({ middle, distance: 10 }))
    const beyond = [highY - NAME_PX, lowY + NAME_PX].map((middle) => ({ middle, distance: -MARKER_PX }))
    const places = [...beside, ...beyond].flatMap(({ middle, distance }) =>
      (['end', 'start'] as const).map((anchor) => {
        const nameX = anchor === 'end' ? x - distance : x + distance
        const left = anchor === 'end' ? nameX - width : nameX
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
