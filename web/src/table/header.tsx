// The header of the table. Column names are sort buttons if the API can sort by the column.
import { ArrowDown, ArrowUp } from 'lucide'
import { memo, type ReactNode } from 'react'
import { splitName } from '../format/split-name.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import { Icon } from '../ui/icon.tsx'
import { type ColumnResize, ResizeHandle } from './columns/column-resize.tsx'
import type { Column } from './columns/column-type.ts'
import { columnSort, nextOrder } from './columns/sort-order.ts'
import styles from './header.module.css'
import { stickyClass, type TableColumns } from './row.tsx'
import table from './table.module.css'

interface TableHeaderProps<Kind extends string, Row, Context> extends TableColumns<Kind, Row, Context> {
  /** The order of the rows, and their order without the search param. Without them, the table cannot be sorted. */
  order: string | undefined
  defaultOrder: string | undefined
  columnMenu?: ((column: Column<Kind>) => ReactNode) | undefined
  resize?: ColumnResize | undefined
}

function PlainTableHeader<Kind extends string, Row, Context>(props: TableHeaderProps<Kind, Row, Context>) {
  const { stickyOffsets, order, defaultOrder } = props
  const changeParams = useChangeSearchParams()
  const sortBy = (newOrder: string) =>
    changeParams({ order: newOrder === defaultOrder ? undefined : newOrder })
  const names = props.columns.map(({ name }) => name)
  return (
    <div role="rowgroup" className={styles.header}>
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons are */}
      <div role="row" aria-rowindex={1} className={table.row}>
        {/* biome-ignore lint/a11y/useFocusableInteractive: its button is */}
        <div
          role="columnheader"
          aria-colindex={1}
          className={`${stickyClass(0, stickyOffsets)} ${styles.numbers}`}
        >
          {order === undefined ? (
            <span className={styles.name}>#</span>
          ) : (
            <button
              type="button"
              data-stop=""
              className={`plain ${styles.name}`}
              data-tooltip="Original order"
              aria-label="Number: original order"
              // aria-disabled, because a disabled button cannot have focus.
              aria-disabled={order === 'position'}
              onClick={() => sortBy('position')}
            >
              #
            </button>
          )}
        </div>
        {props.columns.map((column, index) => (
          <HeaderCell
            key={column.key}
            {...props}
            column={column}
            names={names}
            columnIndex={index + 1}
            onSort={sortBy}
          />
        ))}
      </div>
    </div>
  )
}

export const TableHeader = memo(PlainTableHeader) as typeof PlainTableHeader

interface HeaderCellProps<Kind extends string, Row, Context> extends TableHeaderProps<Kind, Row, Context> {
  column: Column<Kind>
  /** The names of all columns. */
  names: readonly string[]
  /** The index of the cell in its row. The row number is cell 0. */
  columnIndex: number
  onSort: (order: string) => void
}

function HeaderCell<Kind extends string, Row, Context>(props: HeaderCellProps<Kind, Row, Context>) {
  const { types, column, columnIndex, shapes, stickyOffsets, context, order, names, resize } = props
  const { name } = column
  const { header, unit, sort } = types[column.kind]
  const orders = sort(column, context)
  const [mainOrder] = orders
  const { aria, direction, isByChange } = columnSort(order ?? '', orders)
  const left = stickyOffsets[columnIndex]
  const label = <ColumnName name={name} otherNames={names} />
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
      <span className={styles.title}>
        {mainOrder === undefined ? (
          <span className={styles.name} data-tooltip={name}>
            {label}
          </span>
        ) : (
          <button
            type="button"
            data-stop=""
            className={`plain ${styles.name}`}
            aria-label={name}
            data-tooltip={`${name}: sort`}
            onClick={() => props.onSort(nextOrder(order ?? '', mainOrder))}
          >
            {label}
          </button>
        )}
        {unit && <span className={styles.unit}>{unit}</span>}
        {direction && (
          <span className={styles.sort}>
            {isByChange && 'change'}
            <Icon icon={direction === 'asc' ? ArrowUp : ArrowDown} size={12} />
          </span>
        )}
      </span>
      <span className={styles.aggregate}>{header(column, context)}</span>
      {props.columnMenu?.(column)}
      {resize && <ResizeHandle columnKey={column.key} columnIndex={columnIndex} resize={resize} />}
    </div>
  )
}

/** The name of a column in its header. Long names are shortened in the middle, where they are like other names. */
function ColumnName({ name, otherNames }: { name: string; otherNames: readonly string[] }) {
  const [start, end] = splitName(name, otherNames)
  return (
    <span className={styles.columnName}>
      <span>{start}</span>
      {end && <span>{end}</span>}
    </span>
  )
}
