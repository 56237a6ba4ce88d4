// Layout of a line plot: one column per item, a point where it has a value.
import type { Direction } from '../../format/direction.ts'
import { columnScale, labeledColumns, valueScale } from './scales.ts'

export interface PlotPoint {
  column: number
  value: number
  /** Compared with the baseline; undefined if there is none. */
  direction?: Direction | undefined
  /** The value can still change. */
  isRunning?: boolean | undefined
  /** The value as text, and what it is compared with. */
  label: string
  detail?: string | undefined
}

export interface PlotData {
  /** The labels of the columns. */
  columns: readonly string[]
  /** The points on the line, from left to right. */
  points: readonly PlotPoint[]
  /** Further values, not on the line. */
  others?: readonly { column: number; value: number }[] | undefined
  baseline?: { value: number; label: string } | undefined
  /** Columns with another background. */
  highlighted?: readonly number[] | undefined
  hasZero?: boolean | undefined
  maximum?: number | undefined
}

interface PlotSize {
  width: number
  height: number
  tickCount: number
}

const LEFT = 44
const RIGHT = 16
const TOP = 20
const BOTTOM = 28
/** Widths in pixels: of "r123", of a value label, and of a value label with its change. */
const COLUMN_LABEL_WIDTH = 30
const VALUE_LABEL_WIDTH = 44
const DETAIL_LABEL_WIDTH = 120
/** Narrower columns have no markers, because they would overlap. */
const MARKER_WIDTH = 9

export type PlotLayout = ReturnType<typeof plotLayout>

export function plotLayout(data: PlotData, { width, height, tickCount }: PlotSize) {
  const { columns, points, others = [], baseline, highlighted = [], hasZero, maximum } = data
  const area = { left: LEFT, right: Math.max(LEFT + 1, width - RIGHT), top: TOP, bottom: height - BOTTOM }
  const values = [...points, ...others, ...(baseline ? [baseline] : [])].map(({ value }) => value)
  const { yOf, ticks } = valueScale(values, { range: [area.bottom, area.top], tickCount, hasZero, maximum })
  const { xOf, width: columnWidth } = columnScale(columns.length, [area.left, area.right])
  const placed = points.map((point) => ({ ...point, x: xOf(point.column), y: yOf(point.value) }))
  const hasMarkers = columnWidth >= MARKER_WIDTH
  const [first, last] = [Math.min(...highlighted), Math.max(...highlighted)]
  return {
    area,
    ticks,
    columnWidth,
    xOf,
    columnLabels: labeledColumns(columns.length, (area.right - area.left) / COLUMN_LABEL_WIDTH).map(
      (column) => ({
        x: xOf(column),
        text: columns[column] ?? '',
        isHighlighted: highlighted.includes(column),
      }),
    ),
    points: placed,
    /** Without markers, at least the newest point and the regressions are visible. */
    markers: hasMarkers
      ? placed
      : placed.filter(({ direction }, index) => direction === 'worse' || index === placed.length - 1),
    others: others.map(({ column, value }) => ({ x: xOf(column), y: yOf(value) })),
    baseline: baseline && { y: yOf(baseline.value), label: baseline.label },
    highlight:
      highlighted.length === 0
        ? undefined
        : { x: xOf(first) - columnWidth / 2, width: (last - first + 1) * columnWidth },
    labels:
      columnWidth < VALUE_LABEL_WIDTH
        ? []
        : placed.map((point, index) => ({
            ...point,
            detail: columnWidth < DETAIL_LABEL_WIDTH ? undefined : point.detail,
            ...labelPlace(point, placed[index - 1], placed[index + 1], area),
          })),
  }
}

interface Position {
  x: number
  y: number
}

/** Above or below the point, on the side where the line is not. */
function labelPlace(
  { x, y }: Position,
  before: Position | undefined,
  after: Position | undefined,
  { left, right }: { left: number; right: number },
) {
  const leftSlope = before ? before.y - y : 0
  const rightSlope = after ? after.y - y : 0
  const isBelow = leftSlope + rightSlope < 0
  const isRising = leftSlope >= 0 && rightSlope <= 0 && leftSlope !== rightSlope
  const isFalling = leftSlope <= 0 && rightSlope >= 0 && leftSlope !== rightSlope
  let anchor: 'start' | 'middle' | 'end' = 'middle'
  if (isRising) anchor = isBelow ? 'start' : 'end'
  if (isFalling) anchor = isBelow ? 'end' : 'start'
  if (x - DETAIL_LABEL_WIDTH / 2 < left) anchor = 'start'
  if (x + DETAIL_LABEL_WIDTH / 2 > right) anchor = 'end'
  const shift = { start: -4, middle: 0, end: 8 }[anchor]
  return { labelX: x + shift, labelY: y + (isBelow ? 20 : -12), anchor }
}
