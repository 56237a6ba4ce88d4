// The header of the table: of each column its name, which sorts where the API can sort by it.
import type { ReactNode } from 'react'
import styles from './grid.module.css'
import { stuckAt } from './row.tsx'

interface HeaderRowProps {
  lefts: number[]
  /** Rows stand as they were written. */
  isUnsorted: boolean
  onUnsort: () => void
  children: ReactNode
}

export function HeaderRow({ lefts, isUnsorted, onUnsort, children }: HeaderRowProps) {
  return (
    <div role="rowgroup" className={styles.head}>
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons are */}
      <div role="row" aria-rowindex={1} className={styles.row}>
        {/* biome-ignore lint/a11y/useFocusableInteractive: its button is */}
        <div role="columnheader" aria-colindex={1} className={`${stuckAt(0, lefts)} ${styles.numbers}`}>
          <button
            type="button"
            data-stop=""
            className={`plain ${styles.name}`}
            title="In the order in which they were written"
            aria-label="Number: order as written"
            // One that is disabled could not take the focus of the keyboard.
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
  /** Of the cells of the row, that of the numbers being 0. */
  at: number
  lefts: number[]
  isFigure: boolean
  /** Undefined where it cannot be sorted by. */
  sort: 'ascending' | 'descending' | 'other' | 'none' | undefined
  onSort: () => void
  arrow: string
  children: ReactNode
}

export function HeaderCell({ name, at, lefts, isFigure, sort, onSort, arrow, children }: HeaderCellProps) {
  const left = lefts[at]
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its buttons are
    <div
      role="columnheader"
      aria-colindex={at + 1}
      aria-sort={sort}
      className={[styles.columnHeader, left !== undefined && stuckAt(at, lefts), isFigure && styles.figure]
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
