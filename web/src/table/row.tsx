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
  /** The current cell, or undefined if it is in another row. */
  focused: number | undefined
  isOpen: boolean
}

export function RowCells({
  index,
  number,
  columns,
  contents,
  stickyOffsets,
  focused,
  isOpen,
}: RowCellsProps) {
  const cell = (at: number, className: string | undefined) => ({
    role: 'gridcell',
    'aria-colindex': at + 1,
    className:
      stickyOffsets[at] === undefined ? className : `${className ?? ''} ${stickyClass(at, stickyOffsets)}`,
    ...(stickyOffsets[at] !== undefined && { style: { left: stickyOffsets[at] } }),
    ...(at === focused && { tabIndex: 0 }),
  })
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its cells are
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isOpen}
      aria-busy={contents === undefined}
      data-index={index}
      className={focused === undefined ? styles.row : `${styles.row} ${styles.current}`}
    >
      <div {...cell(0, styles.rowNumber)}>{number}</div>
      {columns.map(({ key }, at) => {
        const [className, content, title] = contents?.[at] ?? [styles.loadingCell, null]
        return (
          <div key={key} {...cell(at + 1, className)} title={title}>
            {content}
          </div>
        )
      })}
    </div>
  )
}

/** The last sticky column has a border. */
export function stickyClass(at: number, stickyOffsets: number[]): string {
  return `${styles.sticky} ${at === stickyOffsets.length - 1 ? styles.lastSticky : ''}`
}
