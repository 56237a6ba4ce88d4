// What the texts of columns are like, as the first rows have it: short ones need less room, and numbers stand at the right.
import { useMemo, useRef } from 'react'
import type { Windows } from './windows.ts'

export interface ColumnShape {
  isNumber: boolean
  /** Characters of the longest text. */
  longest: number
}
export type ColumnShapes = ReadonlyMap<string, ColumnShape>

const LOOKED_AT = 40

/** Judged once: widths that change under the eye help nobody. */
export function useColumnShapes<Row, Column extends { key: string }>(
  columns: Column[],
  rowAt: Windows<Row>['rowAt'],
  shapeOf: (column: Column, rows: Row[]) => ColumnShape,
): ColumnShapes {
  const judged = useRef(new Map<string, ColumnShape>())
  const unknown = columns.filter(({ key }) => !judged.current.has(key))
  if (unknown.length > 0) {
    const rows = Array.from({ length: LOOKED_AT }, (_, index) => rowAt(index)).filter(
      (row) => row !== undefined,
    )
    if (rows.length > 0) {
      for (const column of unknown) judged.current.set(column.key, shapeOf(column, rows))
    }
  }
  const { size } = judged.current
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is judged stays as it is; there can only be more of it
  return useMemo(() => new Map(judged.current), [size])
}
