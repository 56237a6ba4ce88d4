// How wide columns are, and which of them stay in sight while the others scroll.
import type { ColumnShape, ColumnShapes } from './column-shapes.ts'
import type { Column } from './columns.ts'

const DIGIT_PX = 8
/** What needs no more than this is as wide as it needs to be. */
const SHORT_PX = 140
/** Of the width of the table, at most, for columns that stay. */
const STUCK_SHARE = 0.6

export interface Layout {
  /** For grid-template-columns: the number of the row first. */
  template: string
  minWidth: number
  /** Where the columns that stay begin: that of the numbers first. */
  lefts: number[]
  /** How wide they are together. */
  stuckWidth: number
}

interface Sizes {
  /** How many scenarios there are, for the width of their numbers. */
  scenarios: number
  shapes: ColumnShapes
  width: number
}

export function layoutOf(columns: Column[], { scenarios, shapes, width }: Sizes): Layout {
  const numbers = String(scenarios).length * DIGIT_PX + 44
  const sizes = columns.map((column) => sizeOf(column, shapes.get(column.key)))
  const lefts = [0]
  let stuckWidth = numbers
  for (const [index, column] of columns.entries()) {
    const { min } = sizes[index] ?? { min: 0 }
    if (!column.isPinned || stuckWidth + min > width * STUCK_SHARE) break
    lefts.push(stuckWidth)
    stuckWidth += min
  }
  const tracks = sizes.map(({ min, grow }) => (grow > 0 ? `minmax(${min}px, ${grow}fr)` : `${min}px`))
  return {
    template: [`${numbers}px`, ...tracks].join(' '),
    minWidth: sizes.reduce((sum, { min }) => sum + min, numbers),
    lefts,
    stuckWidth,
  }
}

function sizeOf(
  { kind, name, isPinned }: Column,
  shape: ColumnShape | undefined,
): { min: number; grow: number } {
  if (kind === 'result') return { min: Math.max(150, Math.min(180, name.length * DIGIT_PX + 40)), grow: 0 }
  if (kind === 'latency' || kind === 'cost') return { min: 108, grow: 0 }
  // Room for the menu of the column too.
  const needed = Math.max((shape?.longest ?? Infinity) * DIGIT_PX + 16, name.length * DIGIT_PX + 40)
  if (kind === 'input' && needed <= SHORT_PX) return { min: needed, grow: 0 }
  if (isPinned) return { min: 240, grow: 0 }
  return kind === 'output' ? { min: 220, grow: 2 } : { min: 150, grow: 1 }
}
