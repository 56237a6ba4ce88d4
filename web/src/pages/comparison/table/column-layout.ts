// Widths of the columns of joined rows, and whether they contain numbers.

import { type ColumnSize, DIGIT_PX, shortWidth } from '../../../table/columns/column-layout.ts'
import type { ColumnShape, ColumnShapes } from '../../../table/columns/column-shapes.ts'
import type { JoinedRow } from '../row-data.ts'
import type { Column } from './columns.ts'
import { textOf } from './table-row.tsx'

export function shapeOf(column: Column, rows: JoinedRow[]): ColumnShape {
  const values = rows.flatMap(
    ({ base, candidates }) =>
      (base ?? candidates[0]?.row)?.inputs.filter(({ name }) => name === column.name) ?? [],
  )
  const isNumber = values.length > 0 && values.every(({ value }) => typeof value === 'number')
  return {
    isNumber: column.kind === 'input' && isNumber,
    longest: Math.max(0, ...rows.map((row) => textOf(row, column)?.length ?? 0)),
  }
}

export function sizesOf(
  columns: Column[],
  shapes: ColumnShapes,
  evaluator: string | undefined,
): ColumnSize[] {
  return columns.map((column) => {
    const [min, grow] = sizeOf(column, shapes, evaluator ?? '')
    return { min, grow, isPinned: column.isPinned }
  })
}

function sizeOf(
  { kind, key, name, isPinned }: Column,
  shapes: ColumnShapes,
  evaluator: string,
): [number, number] {
  if (kind === 'change') {
    const longest = Math.max(name.length, evaluator.length)
    return [Math.max(150, Math.min(220, longest * DIGIT_PX + 40)), 0]
  }
  const shortPx = kind === 'input' ? shortWidth(name, shapes.get(key)?.longest) : undefined
  if (shortPx !== undefined) return [shortPx, 0]
  if (isPinned) return [240, 0]
  return kind === 'output' ? [220, 2] : [150, 1]
}
