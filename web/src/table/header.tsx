// The header of the table. Column names are sort buttons if the API can sort by the column.
import { memo, type ReactNode } from 'react'
import { useChangeSearchParams } from '../state/search-params.ts'
import type { Column } from './columns/column-type.ts'
import { columnSort, nextOrder } from './columns/sort-order.ts'
import { stickyClass, type TableColumns } from './row.tsx'
import styles from './table.module.css'

interface TableHeaderProps<Kind extends string, Row, Context> extends TableColumns<Kind, Row, Context> {
  /** The order of the rows, and their order without the search param. */
  order: string
  defaultOrder: string
  columnMenu?: ((column: Column<Kind>) => ReactNode) | undefined
}

function PlainTableHeader<Kind extends string, Row, Context>(props: TableHeaderProps<Kind, Row, Context>) {
  const { stickyOffsets, order, defaultOrder } = props
  const changeParams = useChangeSearchParams()
  const sortBy = (newOrder: string) =>
    changeParams({ order: newOrder === defaultOrder ? undefined : newOrder })
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
            aria-disabled={order === 'position'}
            onClick={() => sortBy('position')}
          >
            #
          </button>
        </div>
        {props.columns.map((column, index) => (
          <HeaderCell key={column.key} {...props} column={column} columnIndex={index + 1} onSort={sortBy} />
        ))}
      </div>
    </div>
  )
}

export const TableHeader = memo(PlainTableHeader) as typeof PlainTableHeader

interface HeaderCellProps<Kind extends string, Row, Context> extends TableHeaderProps<Kind, Row, Context> {
  column: Column<Kind>
  /** The index of the cell in its row. The row number is cell 0. */
  columnIndex: number
  onSort: (order: string) => void
}

function HeaderCell<Kind extends string, Row, Context>(props: HeaderCellProps<Kind, Row, Context>) {
  const { types, column, columnIndex, shapes, stickyOffsets, context, order, onSort } = props
  const { name } = column
  const { header, changes, sort } = types[column.kind]
  const orders = sort(column, context)
  const [mainOrder] = orders
  const { aria, arrow } = columnSort(order, orders)
  const left = stickyOffsets[columnIndex]
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its buttons are
    <div
      role="columnheader"
      aria-colindex={columnIndex + 1}
      aria-sort={mainOrder === undefined ? undefined : aria}
      className={[
        styles.columnHeader,
        left !== undefined && stickyClass(columnIndex, stickyOffsets),
        shapes.get(column.key)?.isNumeric && styles.numeric,
      ]
        .filter(Boolean)
        .join(' ')}
      style={left === undefined ? undefined : { left }}
    >
      {mainOrder === undefined ? (
        <span className={styles.name} title={name}>
          {name}
        </span>
      ) : (
        <button
          type="button"
          data-stop=""
          className={`plain ${styles.name}`}
          title={`${name}: sort`}
          onClick={() => onSort(nextOrder(order, mainOrder))}
        >
          {name}
        </button>
      )}
      {arrow && (
        <span aria-hidden="true" className={styles.arrow}>
          {arrow}
        </span>
      )}
      {props.columnMenu?.(column)}
      <span className={styles.aggregate}>{header(column, context)}</span>
      {changes && <span className={styles.changes}>{changes(column, context)}</span>}
    </div>
  )
}
