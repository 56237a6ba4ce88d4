// What the texts of a column are like in some rows.
import type { ColumnShape } from '../grid/column-shapes.ts'
import { cellText, type Row } from './cells.ts'
import type { Column } from './columns.ts'

export function shapeOf(column: Column, rows: Row[]): ColumnShape {
  const isMeasure = column.kind === 'latency' || column.kind === 'cost'
  const values = rows.flatMap((row) => row.inputs.filter(({ name }) => name === column.name))
  const isNumber = values.length > 0 && values.every(({ value }) => typeof value === 'number')
  return {
    isNumber: isMeasure || (column.kind === 'input' && isNumber),
    longest: Math.max(0, ...rows.map((row) => cellText(row, column, 1)?.text.length ?? 0)),
  }
}
