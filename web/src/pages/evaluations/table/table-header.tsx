// The header of the table: a sort button for each column.
import { Fragment } from 'react'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import type { EvaluationList, RowSelection } from '../page-state.ts'
import type { ListParams } from '../search-params.ts'
import type { Order } from './column-layout.ts'
import styles from './table.module.css'

const NEXT_DIRECTION = { none: 'desc', descending: 'asc', ascending: undefined } as const

export function TableHeader({
  list: { rows, visibleColumns },
  params: { order },
  selectedIds,
  onSelect,
}: { list: EvaluationList; params: ListParams } & RowSelection) {
  const changeParams = useChangeSearchParams<'/'>()
  const areAllSelected = rows.length > 0 && rows.every(({ id }) => selectedIds.has(id))
  return (
    <thead className={styles.header}>
      <tr aria-rowindex={1} data-header="" className={styles.row}>
        <th scope="col" className={styles.select}>
          <input
            type="checkbox"
            aria-label="Select all loaded rows"
            checked={areAllSelected}
            tabIndex={-1}
            onChange={() => onSelect(areAllSelected ? new Set() : new Set(rows.map(({ id }) => id)))}
          />
        </th>
        {visibleColumns.map(({ id, title, description, className = 'numbers' }) => {
          const direction = directionOf(order, id)
          const nextDirection = NEXT_DIRECTION[direction]
          return (
            <th key={id} scope="col" aria-sort={direction} className={styles[className]}>
              <button
                type="button"
                className="plain"
                tabIndex={-1}
                title={description === undefined ? title : `${title}: ${description}`}
                onClick={() => changeParams({ order: nextDirection && `${id}.${nextDirection}` })}
              >
                <span className={styles.title}>{breakable(title)}</span>
                {direction !== 'none' && (
                  <span aria-hidden="true">{direction === 'ascending' ? '↑' : '↓'}</span>
                )}
              </button>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

function directionOf(order: Order | undefined, id: string): 'none' | 'ascending' | 'descending' {
  if (order?.column !== id) return 'none'
  return order.isDescending ? 'descending' : 'ascending'
}

/** Long evaluator names have no spaces, so they can break after punctuation. */
function breakable(title: string) {
  return title.split(/(?<=[_./:-])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
