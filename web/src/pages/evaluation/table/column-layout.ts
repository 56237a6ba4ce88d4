// The column widths of the table.

import { cellText, type Row } from '../../../results/cells.ts'
import {
  type ColumnLayout,
  type ColumnSize,
  DIGIT_PX,
  columnLayout as layoutOfSizes,
  shortWidth,
} from '../../../table/columns/column-layout.ts'
import type { ColumnShape, ColumnShapes } from '../../../table/columns/column-shapes.ts'
import type { Column } from './columns.ts'

interface Sizes {
  /** The number of scenarios, for the width of the row numbers. */
  scenarios: number
  shapes: ColumnShapes
  width: number
}

export function layoutOf(columns: Column[], { scenarios, shapes, width }: Sizes): ColumnLayout {
  const sizes = columns.map((column): ColumnSize => {
    const [min, grow] = sizeOf(column, shapes.get(column.key)?.longest)
    return { min, grow, isPinned: column.isPinned }
  })
  return layoutOfSizes(sizes, { scenarios, width })
}

function sizeOf({ kind, name, isPinned }: Column, longest: number | undefined): [min: number, grow: number] {
  if (kind === 'result') return [Math.max(150, Math.min(180, name.length * DIGIT_PX + 40)), 0]
  if (kind === 'latency' || kind === 'cost') return [108, 0]
  const shortPx = kind === 'input' ? shortWidth(name, longest) : undefined
  if (shortPx !== undefined) return [shortPx, 0]
  if (isPinned) return [240, 0]
  return kind === 'output' ? [220, 2] : [150, 1]
}

export function shapeOf(column: Column, rows: Row[]): ColumnShape {
  const isMeasure = column.kind === 'latency' || column.kind === 'cost'
  const values = rows.flatMap((row) => row.inputs.filter(({ name }) => name === column.name))
  const isNumber = values.length > 0 && values.every(({ value }) => typeof value === 'number')
  return {
    isNumber: isMeasure || (column.kind === 'input' && isNumber),
    longest: Math.max(0, ...rows.map((row) => cellText(row, column, 1)?.text.length ?? 0)),
  }
}
