// The header of the table. Column names are sort buttons if the API can sort by the column.
import type { ReactNode } from 'react'
import { stickyClass } from './row.tsx'
import styles from './table.module.css'

interface HeaderRowProps {
  stickyOffsets: number[]
  /** Rows are in their original order. */
  isUnsorted: boolean
  onUnsort: () => void
  children: ReactNode
}

export function HeaderRow({ stickyOffsets, isUnsorted, onUnsort, children }: HeaderRowProps) {
  return (
    <div role="rowgroup" className={styles.header}>
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons are */}
      <div role="row" aria-rowindex={1} className={styles.row}>
        {/* biome-ignore lint/a11y/useFocusableInteractive: its button is */}
        <div
          role="columnheader"
          aria-colindex={1}
          className={`${stickyClass(0, stickyOffsets)} ${styles.numbers}`}
        >
          <button
            type="button"
            data-stop=""
            className={`plain ${styles.name}`}
            title="Original order"
            aria-label="Number: original order"
            // aria-disabled, because a disabled button cannot have focus.
            aria-disabled={isUnsorted}
            onClick={onUnsort}
          >
            #
          </button>
        </div>
        {children}
      </div>
    </div>
  )
}

interface HeaderCellProps {
  name: string
  /** The index of the cell in its row. The row number is cell 0. */
  columnIndex: number
  stickyOffsets: number[]
  isNumeric: boolean
  /** Undefined if the column cannot be sorted. */
  sort: 'ascending' | 'descending' | 'other' | 'none' | undefined
  onSort: () => void
  arrow: string
  children: ReactNode
}

export function HeaderCell({
  name,
  columnIndex,
  stickyOffsets,
  isNumeric,
  sort,
  onSort,
  arrow,
  children,
}: HeaderCellProps) {
  const left = stickyOffsets[columnIndex]
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its buttons are
    <div
      role="columnheader"
      aria-colindex={columnIndex + 1}
      aria-sort={sort}
      className={[
        styles.columnHeader,
        left !== undefined && stickyClass(columnIndex, stickyOffsets),
        isNumeric && styles.numeric,
      ]
        .filter(Boolean)
        .join(' ')}
      style={left === undefined ? undefined : { left }}
    >
      {sort === undefined ? (
        <span className={styles.name} title={name}>
          {name}
        </span>
      ) : (
        <button
          type="button"
          data-stop=""
          className={`plain ${styles.name}`}
          title={`${name}: sort`}
          onClick={onSort}
        >
          {name}
        </button>
      )}
      {arrow !== '' && (
        <span aria-hidden="true" className={styles.arrow}>
          {arrow}
        </span>
      )}
      {children}
    </div>
  )
}
