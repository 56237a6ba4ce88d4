// One row of the table.
import type { ReactNode } from 'react'
import styles from './table.module.css'

export type CellContent = [className: string | undefined, content: ReactNode, title?: string | undefined]

interface RowCellsProps {
  /** The index of the row. */
  index: number
  /** The content of the number column. */
  number: ReactNode
  /** The columns and the content of their cells, which is undefined while the row loads. */
  columns: { key: string }[]
  contents: CellContent[] | undefined
  /** The left offsets of the sticky columns. */
  stickyOffsets: number[]
  /** The column of the focused cell, or undefined if it is in another row. */
  focusedColumn: number | undefined
  isOpen: boolean
}

export function RowCells({
  index,
  number,
  columns,
  contents,
  stickyOffsets,
  focusedColumn,
  isOpen,
}: RowCellsProps) {
  const cellProps = (columnIndex: number, className: string | undefined) => ({
    role: 'gridcell',
    'aria-colindex': columnIndex + 1,
    className:
      stickyOffsets[columnIndex] === undefined
        ? className
        : `${className ?? ''} ${stickyClass(columnIndex, stickyOffsets)}`,
    ...(stickyOffsets[columnIndex] !== undefined && { style: { left: stickyOffsets[columnIndex] } }),
    ...(columnIndex === focusedColumn && { tabIndex: 0 }),
  })
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its cells are
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isOpen}
      aria-busy={contents === undefined}
      data-index={index}
      className={focusedColumn === undefined ? styles.row : `${styles.row} ${styles.current}`}
    >
      <div {...cellProps(0, styles.rowNumber)}>{number}</div>
      {columns.map(({ key }, index) => {
        const [className, content, title] = contents?.[index] ?? [styles.loadingCell, null]
        return (
          <div key={key} {...cellProps(index + 1, className)} title={title}>
            {content}
          </div>
        )
      })}
    </div>
  )
}

/** The last sticky column has a border. */
export function stickyClass(columnIndex: number, stickyOffsets: number[]): string {
  return `${styles.sticky} ${columnIndex === stickyOffsets.length - 1 ? styles.lastSticky : ''}`
}
