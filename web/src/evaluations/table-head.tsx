// The head of the table: what each column is, and the way to sort by it.
import { Fragment } from 'react'
import { useChangeSearch } from '../change-search.ts'
import type { Listed } from './listed.ts'
import styles from './table.module.css'
import type { Selecting } from './table.tsx'
import type { ListView, Order } from './view.ts'

const NEXT = { none: 'desc', descending: 'asc', ascending: undefined } as const

export function TableHead({
  listed: { rows, shown },
  view: { order },
  selected,
  onSelect,
}: { listed: Listed; view: ListView } & Selecting) {
  const change = useChangeSearch()
  const isAll = rows.length > 0 && rows.every(({ id }) => selected.has(id))
  return (
    <thead className={styles.head}>
      <tr aria-rowindex={1} data-head="" className={styles.row}>
        <th scope="col" className={styles.select}>
          <input
            type="checkbox"
            aria-label="Select all rows that are loaded"
            checked={isAll}
            tabIndex={-1}
            onChange={() => onSelect(isAll ? new Set() : new Set(rows.map(({ id }) => id)))}
          />
        </th>
        {shown.map(({ id, title, about, figure }) => {
          const direction = directionOf(order, id)
          const next = NEXT[direction]
          return (
            <th
              key={id}
              scope="col"
              aria-sort={direction}
              className={id === 'name' ? styles.name : figure || id === 'rows' ? styles.numbers : styles.cell}
            >
              <button
                type="button"
                className="plain"
                tabIndex={-1}
                title={about === undefined ? title : `${title}: ${about}`}
                onClick={() => change({ order: next && `${id}.${next}` })}
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

/** Names of evaluators are long, and have no spaces to break them at. */
function breakable(title: string) {
  return title.split(/(?<=[_./:-])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
