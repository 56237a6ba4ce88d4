// What a table knows about each kind of column. A page declares its kinds in one object of column types.
import { type CSSProperties, type ReactNode, useMemo, useRef } from 'react'
import { compactText } from '../../format/value-text.ts'

export interface Column<Kind extends string = string> {
  /** As in the search params: result.exact_match, input.country, output. */
  key: string
  /** The display name. */
  name: string
  kind: Kind
  isPinned: boolean
  /** The width in pixels that the user chose. */
  chosenWidth?: number | undefined
  /** In comparisons, the index of the evaluation. 0 is the baseline. */
  evaluationIndex?: number
}

export interface Cell {
  content: ReactNode
  className?: string | undefined
  style?: CSSProperties | undefined
  /** What screen readers read instead of the content. */
  label?: string | undefined
  /** The tooltip. */
  title?: string | undefined
}

/** The minimal width in pixels, and the share of the remaining width as in fr units. */
export type ColumnWidth = [min: number, grow: number]

/** `Names` lists the columns of the data. `Context` is everything else that cells and headers show. */
export interface ColumnType<Row, Names, Context> {
  /** Names the kind in the list of columns: "evaluator". */
  label: string
  /** The columns of this kind, in their default order. */
  columns: (names: Names) => (Pick<Column, 'key' | 'name'> & Partial<Column>)[]
  /** The shape is undefined until the first rows are loaded. */
  width: (column: Column, shape: ColumnShape | undefined, context: Context) => ColumnWidth
  /** 'auto' aligns to the right if the first rows contain only numbers, 'results' if they contain any. */
  align: 'left' | 'right' | 'auto' | 'results'
  /** The unit of the values, after the name. */
  unit?: string
  cell: (row: Row, column: Column, context: Context) => Cell
  /** What "Copy values" copies. Also determines the width and alignment of the column. */
  value: (row: Row, column: Column, context: Context) => unknown
  /** The line below the name: a statistic of all rows and its change, or the kind of the column. */
  header: (column: Column, context: Context) => ReactNode
  /** The orders of the API for this column, without direction. The header sorts by the first, the menu by all. */
  sort: (column: Column, context: Context) => string[]
  /** Further settings in the menu of the column. */
  menu?: (column: Column, context: Context) => ReactNode
}

export type ColumnTypes<Kind extends string, Row, Names, Context> = Record<
  Kind,
  ColumnType<Row, Names, Context>
>

/** All columns, in the order of their types. */
export function columnsOf<Kind extends string, Names>(
  types: Record<Kind, Pick<ColumnType<never, Names, never>, 'columns'>>,
  names: Names,
): Column<Kind>[] {
  const kinds = Object.keys(types) as Kind[]
  return kinds.flatMap((kind) =>
    types[kind].columns(names).map((column) => ({ isPinned: false, ...column, kind })),
  )
}

/** What the first rows contain. */
export interface ColumnShape {
  isNumeric: boolean
  /** Whether all values are objects or arrays, or texts that look like them. */
  isStructured: boolean
  /** The length of the longest value. */
  longest: number
}

const SAMPLED_ROWS = 40

/** Samples the first rows once per column, so that widths do not change while scrolling. */
export function useColumnShapes<Kind extends string, Row, Context>(
  types: ColumnTypes<Kind, Row, never, Context>,
  columns: Column<Kind>[],
  rowAt: (index: number) => Row | undefined,
  context: Context,
): ReadonlyMap<string, ColumnShape> {
  const shapes = useRef(new Map<string, ColumnShape>())
  // The values of a new column can come later than its name.
  const newColumns = columns.filter(({ key }) => !shapes.current.get(key)?.longest)
  if (newColumns.length > 0) {
    const rows = Array.from({ length: SAMPLED_ROWS }, (_, index) => rowAt(index)).filter(
      (row) => row !== undefined,
    )
    for (const column of rows.length > 0 ? newColumns : []) {
      const { align, value } = types[column.kind]
      const values = rows.map((row) => value(row, column, context) ?? undefined)
      const present = values.filter((one) => one !== undefined)
      const texts = present.map(compactText)
      const numbers = present.filter((one) => typeof one === 'number').length
      shapes.current.set(column.key, {
        isNumeric:
          align === 'right' ||
          (align !== 'left' && numbers > 0 && (align === 'results' || numbers === present.length)),
        isStructured: texts.every((text) => /^[{[]/.test(text)),
        longest: Math.max(0, ...texts.map(({ length }) => length)),
      })
    }
  }
  const sampledCount = shapes.current.size + newColumns.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: an entry changes once, when it has values
  return useMemo(() => new Map(shapes.current), [sampledCount])
}
