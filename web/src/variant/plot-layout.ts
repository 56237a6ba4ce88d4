// Where things stand in the plot of a variant's history: revisions from left to right, figures from low to high.
import type { Measure } from './measures.ts'
import type { RanIt, Revision } from './questions.ts'

/** The smallest thing that a finger or a shaky hand can meet (WCAG 2.5.8). */
export const TARGET = 24
/** Below this a column cannot hold its dots, and the plot scrolls. */
const NARROWEST_COLUMN = 28
/** "r123", and some room. */
const LABEL_WIDTH = 40
const ROOM_ABOVE = 28
const ROOM_BELOW = 26
const TICKS = 4

export interface Dot {
  revision: Revision
  evaluation: RanIt
  value: number
  /** The one that its revision is known by. */
  isNewest: boolean
  x: number
  y: number
}

/** What can be pointed at: one dot, or several that are too close to be told apart. */
export interface Target {
  dots: [Dot, ...Dot[]]
  x: number
  y: number
}

export interface PlotLayout {
  width: number
  column: number
  ticks: { value: number; y: number }[]
  columns: { revision: Revision; x: number; hasLabel: boolean }[]
  dots: Dot[]
  targets: Target[]
  /** Through the newest evaluation of each revision. */
  line: Dot[]
  /** Where the figures of those stand: away from the line. */
  figures: (Dot & { isBelow: boolean })[]
}

export function plotLayout(
  revisions: readonly Revision[],
  measure: Measure,
  { width, height }: { width: number; height: number },
): PlotLayout {
  const column = Math.max(NARROWEST_COLUMN, width / revisions.length)
  const values = revisions.flatMap(({ evaluations }) =>
    evaluations.map(measure.of).filter((value) => value !== undefined),
  )
  const scale = tickValues(values, measure.isShare)
  const [low, high] = [scale[0] ?? 0, scale.at(-1) ?? 1]
  const yOf = (value: number) =>
    ROOM_ABOVE + (1 - (value - low) / (high - low)) * (height - ROOM_ABOVE - ROOM_BELOW)
  const every = Math.ceil(LABEL_WIDTH / column)
  const columns = revisions.map((revision, index) => ({
    revision,
    x: column * (index + 0.5),
    // Counted from the newest, which is the one that is looked for.
    hasLabel: (revisions.length - 1 - index) % every === 0,
  }))
  const targets = columns.flatMap(({ revision, x }) => targetsOf(dotsOf(revision, measure, x, yOf), column))
  // The newest are drawn over the others.
  const dots = targets
    .flatMap((target) => target.dots)
    .toSorted((one, other) => Number(one.isNewest) - Number(other.isNewest))
  const line = dots.filter(({ isNewest }) => isNewest)
  return {
    width: column * revisions.length,
    column,
    ticks: scale.map((value) => ({ value, y: yOf(value) })),
    columns,
    dots,
    targets,
    line,
    figures: line.map((dot, index) => ({ ...dot, isBelow: isValley(dot, line[index - 1], line[index + 1]) })),
  }
}

/** Whether the line comes down to a dot from its neighbours. */
function isValley({ y }: Dot, before: Dot | undefined, after: Dot | undefined): boolean {
  const neighbours = [before, after].filter((one) => one !== undefined)
  return neighbours.reduce((sum, one) => sum + (one.y - y), 0) < 0
}

function dotsOf(revision: Revision, measure: Measure, x: number, yOf: (value: number) => number): Dot[] {
  const found = revision.evaluations.flatMap((evaluation) => {
    const value = measure.of(evaluation)
    return value === undefined ? [] : [{ revision, evaluation, value, x, y: yOf(value) }]
  })
  return found.map((dot, index) => ({ ...dot, isNewest: index === 0 }))
}

/** Dots of one revision that would cover each other stand side by side, or make one target where there is no room. */
function targetsOf(dots: Dot[], column: number): Target[] {
  const groups: [Dot, ...Dot[]][] = []
  for (const dot of dots.toSorted((one, other) => one.y - other.y)) {
    const last = groups.at(-1)
    if (last && dot.y - (last.at(-1)?.y ?? 0) < TARGET) last.push(dot)
    else groups.push([dot])
  }
  return groups.flatMap((group): Target[] => {
    if (group.length > 1 && group.length * TARGET > column) return [{ dots: group, ...middleOf(group) }]
    // The newest keeps the middle; the others go left and right of it in turns.
    const newestFirst = group.toSorted((one, other) => Number(other.isNewest) - Number(one.isNewest))
    return newestFirst.map((dot, index) => {
      const x = dot.x + Math.ceil(index / 2) * (index % 2 === 0 ? -1 : 1) * TARGET
      return { dots: [{ ...dot, x }], x, y: dot.y }
    })
  })
}

function middleOf(group: [Dot, ...Dot[]]): { x: number; y: number } {
  return { x: group[0].x, y: (group[0].y + (group.at(-1)?.y ?? group[0].y)) / 2 }
}

/** Round numbers from at most the lowest to at least the highest value. */
export function tickValues(values: readonly number[], isShare: boolean): number[] {
  const lowest = values.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY)
  const highest = values.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY)
  if (values.length === 0) return [0, 1]
  const span = highest - lowest || Math.abs(highest) * 0.2 || 1
  const step = roundStep(span / TICKS)
  // 0.6 / 0.05 is a hair below 12.
  let first = Math.floor(lowest / step + 1e-9)
  let last = Math.ceil(highest / step - 1e-9)
  if (first === last) [first, last] = [first - 1, last + 1]
  if (lowest >= 0) first = Math.max(0, first)
  if (isShare) last = Math.min(Math.round(1 / step), last)
  // Multiples of the step, without the dust of adding it up.
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}

/** 1, 2 or 5 times a power of ten, at least as large. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  const factor = [1, 2, 5].find((one) => one * power >= step * 0.999) ?? 10
  return factor * power
}
