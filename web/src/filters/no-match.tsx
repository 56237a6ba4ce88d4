// The empty state for filters that match no rows, with buttons to remove them.
import { useQuery } from '@tanstack/react-query'
import { pluralize } from '../format/numbers.ts'
import type { WindowQuery } from '../queries/row-window.ts'
import { type Filter, withoutFilters } from '../state/row-params.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import { filterLabel } from './filter-labels.ts'
import styles from './filters.module.css'

interface NoMatchProps {
  filters: readonly Filter[]
  /** Counts the rows that match other filters. */
  totalQuery: (filters: Filter[]) => WindowQuery<{ total: number }>
  /** For callers with a heading of their own. */
  hidesHeading?: boolean
}

export function NoMatch({ filters, totalQuery, hidesHeading = false }: NoMatchProps) {
  const changeParams = useChangeSearchParams()
  return (
    <>
      {!hidesHeading && (
        <>
          <h2>No rows match</h2>
          <p>{filters.map(filterLabel).join(' and ')}</p>
        </>
      )}
      <ul className={styles.removeButtons}>
        {filters.map((filter) => (
          <RemoveFilterButton
            key={filter[0]}
            filter={filter}
            totalQuery={totalQuery(filters.filter((other) => other !== filter))}
          />
        ))}
      </ul>
      {filters.length > 1 && (
        <p>
          <button type="button" onClick={focusSearchAnd(() => changeParams(withoutFilters(filters)))}>
            Remove all filters
          </button>
        </p>
      )}
    </>
  )
}

function RemoveFilterButton({
  filter,
  totalQuery,
}: {
  filter: Filter
  totalQuery: WindowQuery<{ total: number }>
}) {
  const changeParams = useChangeSearchParams()
  const { data } = useQuery(totalQuery)
  return (
    <li>
      <button type="button" onClick={focusSearchAnd(() => changeParams({ [filter[0]]: undefined }))}>
        Without {filterLabel(filter)}
        {data && `: ${pluralize(data.total, 'row')}`}
      </button>
    </li>
  )
}

/** The button disappears with the filter, so the focus moves to the search. */
function focusSearchAnd(remove: () => void): () => void {
  return () => {
    document.querySelector<HTMLElement>('search input')?.focus()
    remove()
  }
}
