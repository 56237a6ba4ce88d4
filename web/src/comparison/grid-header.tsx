// The header of the joined rows: whose a column is, and what it has of it.
import { memo } from 'react'
import { useChangeSearch } from '../change-search.ts'
import type { ColumnShapes } from '../grid/column-shapes.ts'
import styles from '../grid/grid.module.css'
import { HeaderCell, HeaderRow } from '../grid/header.tsx'
import type { Column } from './columns.ts'
import { changeSort, nextOrder, type Ordered, orderOf, orderWord } from './ordering.ts'

interface GridHeaderProps {
  ordered: Ordered
  columns: Column[]
  lefts: number[]
  shapes: ColumnShapes
}

export const GridHeader = memo(function GridHeader({ ordered, columns, lefts, shapes }: GridHeaderProps) {
  const change = useChangeSearch()
  const sortBy = (order: string) => change({ order: orderWord(ordered, order) })
  return (
    <HeaderRow lefts={lefts} isUnsorted={orderOf(ordered) === 'position'} onUnsort={() => sortBy('position')}>
      {columns.map((column, at) => {
        // Rows are in an order of the first candidate, so that only its changes are sorted.
        const isSortable = column.kind === 'change' && column.side === 1 && ordered.on !== undefined
        const sort = isSortable ? changeSort(ordered) : undefined
        return (
          <HeaderCell
            key={column.key}
            name={column.name}
            at={at + 1}
            lefts={lefts}
            isFigure={shapes.get(column.key)?.isNumber ?? false}
            sort={sort}
            onSort={() => sortBy(nextOrder(ordered))}
            arrow={sort === 'ascending' ? 'Δ↑' : sort === 'descending' ? 'Δ↓' : ''}
          >
            <span className={styles.aggregate}>{below(column, ordered.on)}</span>
          </HeaderCell>
        )
      })}
    </HeaderRow>
  )
})

function below({ kind, side }: Column, on: string | undefined): string {
  if (kind === 'change') return on ?? ''
  if (kind === 'output') return side === 0 ? '★ baseline output' : 'output'
  return kind === 'input' ? 'input' : ''
}
