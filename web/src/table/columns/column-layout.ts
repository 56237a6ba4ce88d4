// Column widths, and which columns are sticky.
import type { ColumnWidth } from './column-type.ts'

const DIGIT_PX = 8
/** Narrower tables have no place for note and pin icons. The same width is in table.module.css. */
const NARROW_PX = 720
/** Narrower texts cannot be read. */
const MIN_TEXT_PX = 96
const [MIN_WIDTH_PX, MAX_WIDTH_PX] = [56, 1600]

export function limitWidth(px: number): number {
  return Math.round(Math.max(MIN_WIDTH_PX, Math.min(MAX_WIDTH_PX, px)))
}

/** The part of the table width that sticky columns can take. */
const MAX_STICKY_RATIO = 0.6

export type ColumnLayout = ReturnType<typeof columnLayout>

/** `scenarios` is the number of scenarios, for the width of the row numbers. */
export function columnLayout(
  columns: { width: ColumnWidth; isPinned: boolean }[],
  { scenarios, width }: { scenarios: number; width: number },
) {
  const isNarrow = width < NARROW_PX
  const rowNumberWidth = String(scenarios).length * DIGIT_PX + (isNarrow ? 28 : 52)
  /** Left offsets of the sticky columns, starting with the row number. */
  const stickyOffsets = [0]
  let stickyWidth = rowNumberWidth
  for (const { isPinned, ...column } of columns) {
    const [min] = column.width
    if (!isPinned || stickyWidth + min > width * MAX_STICKY_RATIO) break
    stickyOffsets.push(stickyWidth)
    stickyWidth += min
  }
  const widths = columns.map((column) => column.width)
  if (isNarrow) endAtEdge(widths, rowNumberWidth, width)
  const tracks = widths.map(([min, grow]) => (grow > 0 ? `minmax(${min}px, ${grow}fr)` : `${min}px`))
  const cellWidths = [rowNumberWidth, ...widths.map(([min]) => min)]
  return {
    /** For grid-template-columns, starting with the row number. */
    tracks: [`${rowNumberWidth}px`, ...tracks],
    /** The minimal widths. If they need more space than there is, they are the widths. */
    cellWidths,
    minWidth: cellWidths.reduce((sum, cellWidth) => sum + cellWidth, 0),
    stickyOffsets,
    stickyWidth,
  }
}

/** The text column that would cross the right edge of the table ends there, if enough of it remains. */
function endAtEdge(widths: ColumnWidth[], rowNumberWidth: number, tableWidth: number): void {
  let left = rowNumberWidth
  for (const [index, [min, grow]] of widths.entries()) {
    const visiblePx = tableWidth - left
    if (grow > 0 && min > visiblePx && visiblePx >= MIN_TEXT_PX) {
      widths[index] = [visiblePx, 0]
      return
    }
    left += min
  }
}

/** The average width of a character in a header. */
const NAME_PX = 7
/** Columns up to this width get exactly the width they need. */
const MAX_SHORT_PX = 140

/** The width of a column of short texts, or undefined if the texts are longer. */
export function shortWidth(name: string, longest: number | undefined): number | undefined {
  const neededPx = Math.max((longest ?? Infinity) * DIGIT_PX + 16, name.length * NAME_PX + 24)
  return neededPx <= MAX_SHORT_PX ? neededPx : undefined
}

/** The width of a column that is as wide as its name, within limits. */
export function nameWidth(length: number, min: number, max: number): ColumnWidth {
  return [Math.max(min, Math.min(max, length * NAME_PX + 24)), 0]
}
