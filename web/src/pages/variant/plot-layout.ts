// Layout of the score plot: revisions on the x axis, values on the y axis.

import type { Revision, RevisionEvaluation } from '../../queries/variants.ts'
import type { Metric } from '../../revisions/metrics.ts'

/** Minimum target size in pixels (WCAG 2.5.8). */
export const TARGET_SIZE = 24
/** Columns do not get narrower than this; the plot scrolls instead. */
const MIN_COLUMN_WIDTH = 28
/** Width of "r123" with padding. */
const LABEL_WIDTH = 40
const PADDING_TOP = 28
const PADDING_BOTTOM = 26
const TICK_COUNT = 4

export interface Dot {
  revision: Revision
  evaluation: RevisionEvaluation
  value: number
  /** True for the newest evaluation of the revision. */
  isNewest: boolean
  x: number
  y: number
}

/** A hit target: one dot, or several that overlap. */
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
  /** Labels of the dots on the line, placed above or below to avoid the line. */
  valueLabels: (Dot & { isBelow: boolean })[]
}

export function plotLayout(
  revisions: readonly Revision[],
  metric: Metric,
  { width, height }: { width: number; height: number },
): PlotLayout {
  const column = Math.max(MIN_COLUMN_WIDTH, width / revisions.length)
  const values = revisions.flatMap(({ evaluations }) =>
    evaluations.map(metric.valueIn).filter((value) => value !== undefined),
  )
  const scale = tickValues(values, metric.isPassRate)
  const [low, high] = [scale[0] ?? 0, scale.at(-1) ?? 1]
  const yOf = (value: number) =>
    PADDING_TOP + (1 - (value - low) / (high - low)) * (height - PADDING_TOP - PADDING_BOTTOM)
  const every = Math.ceil(LABEL_WIDTH / column)
  const columns = revisions.map((revision, index) => ({
    revision,
    x: column * (index + 0.5),
    // Counted from the end, so that the newest revision always has a label.
    hasLabel: (revisions.length - 1 - index) % every === 0,
  }))
  const targets = columns.flatMap(({ revision, x }) => targetsOf(dotsOf(revision, metric, x, yOf), column))
  // Newest last, so that they are drawn on top.
  const dots = targets
    .flatMap((target) => target.dots)
    .toSorted((a, b) => Number(a.isNewest) - Number(b.isNewest))
  const line = dots.filter(({ isNewest }) => isNewest)
  return {
    width: column * revisions.length,
    column,
    ticks: scale.map((value) => ({ value, y: yOf(value) })),
    columns,
    dots,
    targets,
    line,
    valueLabels: line.map((dot, index) => ({
      ...dot,
      isBelow: isValley(dot, line[index - 1], line[index + 1]),
    })),
  }
}

/** True if the dot is below its neighbors on the line. */
function isValley({ y }: Dot, before: Dot | undefined, after: Dot | undefined): boolean {
  const neighbors = [before, after].filter((dot) => dot !== undefined)
  return neighbors.reduce((sum, neighbor) => sum + (neighbor.y - y), 0) < 0
}

function dotsOf(revision: Revision, metric: Metric, x: number, yOf: (value: number) => number): Dot[] {
  const dots = revision.evaluations.flatMap((evaluation) => {
    const value = metric.valueIn(evaluation)
    return value === undefined ? [] : [{ revision, evaluation, value, x, y: yOf(value) }]
  })
  return dots.map((dot, index) => ({ ...dot, isNewest: index === 0 }))
}

/** Overlapping dots of one revision are placed side by side, or merged into one target if the column is too narrow. */
function targetsOf(dots: Dot[], column: number): Target[] {
  const groups: [Dot, ...Dot[]][] = []
  for (const dot of dots.toSorted((a, b) => a.y - b.y)) {
    const lastGroup = groups.at(-1)
    if (lastGroup && dot.y - (lastGroup.at(-1)?.y ?? 0) < TARGET_SIZE) lastGroup.push(dot)
    else groups.push([dot])
  }
  return groups.flatMap((group): Target[] => {
    if (group.length > 1 && group.length * TARGET_SIZE > column) return [{ dots: group, ...middleOf(group) }]
    // The newest stays in the middle; the others alternate right and left of it.
    const newestFirst = group.toSorted((a, b) => Number(b.isNewest) - Number(a.isNewest))
    return newestFirst.map((dot, index) => {
      const x = dot.x + Math.ceil(index / 2) * (index % 2 === 0 ? -1 : 1) * TARGET_SIZE
      return { dots: [{ ...dot, x }], x, y: dot.y }
    })
  })
}

function middleOf(group: [Dot, ...Dot[]]): { x: number; y: number } {
  return { x: group[0].x, y: (group[0].y + (group.at(-1)?.y ?? group[0].y)) / 2 }
}

/** Round numbers that enclose all values. */
export function tickValues(values: readonly number[], isPassRate: boolean): number[] {
  const lowest = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const highest = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  if (values.length === 0) return [0, 1]
  const span = highest - lowest || Math.abs(highest) * 0.2 || 1
  const step = roundStep(span / TICK_COUNT)
  // Tolerates rounding errors: 0.6 / 0.05 is slightly less than 12.
  let firstStep = Math.floor(lowest / step + 1e-9)
  let lastStep = Math.ceil(highest / step - 1e-9)
  if (firstStep === lastStep) [firstStep, lastStep] = [firstStep - 1, lastStep + 1]
  if (lowest >= 0) firstStep = Math.max(0, firstStep)
  if (isPassRate) lastStep = Math.min(Math.round(1 / step), lastStep)
  // Multiply instead of adding, and round, to avoid floating-point noise.
  return Array.from({ length: lastStep - firstStep + 1 }, (_, index) =>
    Number(((firstStep + index) * step).toPrecision(12)),
  )
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  const factor = [1, 2, 5].find((factor) => factor * power >= step * 0.999) ?? 10
  return factor * power
}
