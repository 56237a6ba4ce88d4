// Samples the first rows for the length and type of each column's texts. Short columns are narrow, numbers right-aligned.
import { useMemo, useRef } from 'react'
import type { Windows } from '../row-windows.ts'

export interface ColumnShape {
  isNumber: boolean
  /** The length of the longest text. */
  longest: number
}
export type ColumnShapes = ReadonlyMap<string, ColumnShape>

const SAMPLED_ROWS = 40

/** Computed once per column, so that widths do not change while scrolling. */
export function useColumnShapes<Row, Column extends { key: string }>(
  columns: Column[],
  rowAt: Windows<Row>['rowAt'],
  shapeOf: (column: Column, rows: Row[]) => ColumnShape,
): ColumnShapes {
  const shapes = useRef(new Map<string, ColumnShape>())
  const newColumns = columns.filter(({ key }) => !shapes.current.has(key))
  if (newColumns.length > 0) {
    const rows = Array.from({ length: SAMPLED_ROWS }, (_, index) => rowAt(index)).filter(
      (row) => row !== undefined,
    )
    if (rows.length > 0) {
      for (const column of newColumns) shapes.current.set(column.key, shapeOf(column, rows))
    }
  }
  const { size } = shapes.current
  // biome-ignore lint/correctness/useExhaustiveDependencies: entries are only added, never changed
  return useMemo(() => new Map(shapes.current), [size])
}
