// How wide the columns of an evaluation are.
import type { ColumnShapes } from '../grid/column-shapes.ts'
import {
  type ColumnSize,
  DIGIT_PX,
  type Layout,
  layoutOf as layoutOfSizes,
  shortWidth,
} from '../grid/layout.ts'
import type { Column } from './columns.ts'

interface Sizes {
  /** How many scenarios there are, for the width of their numbers. */
  scenarios: number
  shapes: ColumnShapes
  width: number
}

export function layoutOf(columns: Column[], { scenarios, shapes, width }: Sizes): Layout {
  const sizes = columns.map((column): ColumnSize => {
    const [min, grow] = sizeOf(column, shapes.get(column.key)?.longest)
    return { min, grow, isPinned: column.isPinned }
  })
  return layoutOfSizes(sizes, { scenarios, width })
}

function sizeOf({ kind, name, isPinned }: Column, longest: number | undefined): [min: number, grow: number] {
  if (kind === 'result') return [Math.max(150, Math.min(180, name.length * DIGIT_PX + 40)), 0]
  if (kind === 'latency' || kind === 'cost') return [108, 0]
  const short = kind === 'input' ? shortWidth(name, longest) : undefined
  if (short !== undefined) return [short, 0]
  if (isPinned) return [240, 0]
  return kind === 'output' ? [220, 2] : [150, 1]
}
