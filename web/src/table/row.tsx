// One row of the table, memoized as a flat list of cells.
import { memo, type ReactNode } from 'react'
import type { Cell, Column, ColumnShape, ColumnTypes } from './columns/column-type.ts'
import { renderedCells } from './columns/visible-columns.ts'
import styles from './table.module.css'

/** What all rows and the header of a table share. */
export interface TableColumns<Kind extends string, Row, Context> {
  types: ColumnTypes<Kind, Row, never, Context>
  columns: Column<Kind>[]
  shapes: ReadonlyMap<string, ColumnShape>
  /** The left offsets of the sticky columns. */
  stickyOffsets: number[]
  context: Context
}

interface TableRowProps<Kind extends string, Row, Context> extends TableColumns<Kind, Row, Context> {
  /** The index of the row among the rows of the view. */
  index: number
  /** Undefined while loading. */
  row: Row | undefined
  /** The indexes of the rendered cells, or undefined for all. The focused one is rendered too. */
  visibleCells: readonly number[] | undefined
  /** The content of the number column. */
  rowNumber: (row: Row, context: Context) => ReactNode
  /** The column of the focused cell, or undefined if it is in another row. */
  focusedColumn: number | undefined
  isOpen: boolean
}

const LOADING_CELL: Cell = { className: styles.loadingCell, content: null }

function PlainTableRow<Kind extends string, Row, Context>(props: TableRowProps<Kind, Row, Context>) {
  const { index, row, types, columns, shapes, stickyOffsets, context, rowNumber, focusedColumn, isOpen } =
    props
  const cells = renderedCells(columns.length + 1, props.visibleCells, focusedColumn)
  const cellProps = (cellIndex: number, className: string | undefined) => ({
    role: 'gridcell',
    'aria-colindex': cellIndex + 1,
    className:
      stickyOffsets[cellIndex] === undefined
        ? className
        : `${className ?? ''} ${stickyClass(cellIndex, stickyOffsets)}`,
    ...(stickyOffsets[cellIndex] !== undefined && { style: { left: stickyOffsets[cellIndex] } }),
    ...(cellIndex === focusedColumn && { tabIndex: 0 }),
  })
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its cells are
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isOpen}
      aria-busy={row === undefined}
      data-index={index}
      className={focusedColumn === undefined ? styles.row : `${styles.row} ${styles.current}`}
    >
      <div {...cellProps(0, styles.rowNumber)}>{row ? rowNumber(row, context) : index + 1}</div>
      {cells.map((cellIndex, place) => {
        const column = columns[cellIndex - 1]
        if (!column) return null
        const cell = row ? types[column.kind].cell(row, column, context) : LOADING_CELL
        const numeric = shapes.get(column.key)?.isNumeric ? styles.numeric : undefined
        const hasGap = cells[place - 1] !== cellIndex - 1
        return (
          <div
            key={column.key}
            {...cellProps(cellIndex, joinClasses(cell.className, numeric))}
            {...((hasGap || cell.style) && {
              style: { ...cell.style, gridColumn: hasGap ? cellIndex + 1 : undefined },
            })}
            // Also moves the ellipsis of right-to-left text to its end.
            {...(cell.label === undefined ? { dir: 'auto' } : { 'aria-label': cell.label })}
            data-tooltip={cell.title}
          >
            {cell.content}
          </div>
        )
      })}
    </div>
  )
}

export const TableRow = memo(PlainTableRow) as typeof PlainTableRow

function joinClasses(...classes: (string | undefined)[]): string | undefined {
  return classes.filter(Boolean).join(' ') || undefined
}

/** The last sticky column has a border. */
export function stickyClass(columnIndex: number, stickyOffsets: number[]): string {
  return `${styles.sticky} ${columnIndex === stickyOffsets.length - 1 ? styles.lastSticky : ''}`
}
