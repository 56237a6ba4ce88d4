// What the texts of columns are like, as the first rows have it: short ones need less room, and numbers stand at the right.
import { useMemo, useRef } from 'react'
import type { Windows } from '../grid/windows.ts'
import { cellText, type Row } from './cells.ts'
import type { Column } from './columns.ts'

export interface ColumnShape {
  isNumber: boolean
  /** Characters of the longest text. */
  longest: number
}
export type ColumnShapes = ReadonlyMap<string, ColumnShape>

const LOOKED_AT = 40

function shapeOf(column: Column, rows: Row[]): ColumnShape {
  const isMeasure = column.kind === 'latency' || column.kind === 'cost'
  const values = rows.flatMap((row) => row.inputs.filter(({ name }) => name === column.name))
  const isNumber = values.length > 0 && values.every(({ value }) => typeof value === 'number')
  return {
    isNumber: isMeasure || (column.kind === 'input' && isNumber),
    longest: Math.max(0, ...rows.map((row) => cellText(row, column, 1)?.text.length ?? 0)),
  }
}

/** Judged once: widths that change under the eye help nobody. */
export function useColumnShapes(columns: Column[], rowAt: Windows['rowAt']): ColumnShapes {
  const judged = useRef(new Map<string, ColumnShape>())
  const unknown = columns.filter(({ key }) => !judged.current.has(key))
  if (unknown.length > 0) {
    const rows = Array.from({ length: LOOKED_AT }, (_, index) => rowAt(index)).filter(isThere)
    if (rows.length > 0) {
      for (const column of unknown) judged.current.set(column.key, shapeOf(column, rows))
    }
  }
  const { size } = judged.current
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is judged stays as it is; there can only be more of it
  return useMemo(() => new Map(judged.current), [size])
}

function isThere(row: Row | undefined): row is Row {
  return row !== undefined
}
