// Header row of the joined rows: column names, a second line with their content, and sorting by change.
import { memo } from 'react'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import type { ColumnShapes } from '../../../table/columns/column-shapes.ts'
import { HeaderCell, HeaderRow } from '../../../table/header.tsx'
import styles from '../../../table/table.module.css'
import type { Column } from './columns.ts'
import { changeSort, nextOrder, orderOf, orderParam, type SortState } from './sort-order.ts'

interface TableHeaderProps {
  sortState: SortState
  columns: Column[]
  stickyOffsets: number[]
  shapes: ColumnShapes
}

export const TableHeader = memo(function TableHeader({
  sortState,
  columns,
  stickyOffsets,
  shapes,
}: TableHeaderProps) {
  const changeParams = useChangeSearchParams()
  const sortBy = (order: string) => changeParams({ order: orderParam(sortState, order) })
  return (
    <HeaderRow
      stickyOffsets={stickyOffsets}
      isUnsorted={orderOf(sortState) === 'position'}
      onUnsort={() => sortBy('position')}
    >
      {columns.map((column, index) => {
        // The API can sort only by the change of the first candidate.
        const isSortable =
          column.kind === 'change' && column.evaluationIndex === 1 && sortState.evaluator !== undefined
        const sort = isSortable ? changeSort(sortState) : undefined
        return (
          <HeaderCell
            key={column.key}
            name={column.name}
            columnIndex={index + 1}
            stickyOffsets={stickyOffsets}
            isNumeric={shapes.get(column.key)?.isNumber ?? false}
            sort={sort}
            onSort={() => sortBy(nextOrder(sortState))}
            arrow={sort === 'ascending' ? 'Δ↑' : sort === 'descending' ? 'Δ↓' : ''}
          >
            <span className={styles.aggregate}>{subtitle(column, sortState.evaluator)}</span>
          </HeaderCell>
        )
      })}
    </HeaderRow>
  )
})

function subtitle({ kind, evaluationIndex }: Column, evaluator: string | undefined): string {
  if (kind === 'change') return evaluator ?? ''
  if (kind === 'output') return evaluationIndex === 0 ? '★ baseline output' : 'output'
  return kind === 'input' ? 'input' : ''
}
