// One row of the table: a flat list of cells.
import type { ReactNode } from 'react'
import styles from './grid.module.css'

export type Content = [className: string | undefined, content: ReactNode, title?: string | undefined]

interface RowCellsProps {
  /** Of the rows in the view. */
  index: number
  /** What stands in the column of numbers. */
  number: ReactNode
  /** The names of the columns, and what their cells show: nothing while the row is not there. */
  columns: { key: string }[]
  contents: Content[] | undefined
  /** Where the columns that stay begin. */
  lefts: number[]
  /** The cell where the keyboard is; undefined where it is in another row. */
  focused: number | undefined
  isOpen: boolean
}

export function RowCells({ index, number, columns, contents, lefts, focused, isOpen }: RowCellsProps) {
  const cell = (at: number, className: string | undefined) => ({
    role: 'gridcell',
    'aria-colindex': at + 1,
    className: lefts[at] === undefined ? className : `${className ?? ''} ${stuckAt(at, lefts)}`,
    ...(lefts[at] !== undefined && { style: { left: lefts[at] } }),
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
      <div {...cell(0, styles.place)}>{number}</div>
      {columns.map(({ key }, at) => {
        const [className, content, title] = contents?.[at] ?? [styles.absent, null]
        return (
          <div key={key} {...cell(at + 1, className)} title={title}>
            {content}
          </div>
        )
      })}
    </div>
  )
}

/** The last of the columns that stay has a line at its end. */
export function stuckAt(at: number, lefts: number[]): string {
  return `${styles.stuck} ${at === lefts.length - 1 ? styles.edge : ''}`
}
