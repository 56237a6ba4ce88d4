// The empty state for filters that match no rows, with buttons to remove them.
import { useQuery } from '@tanstack/react-query'
import { pluralize } from '../format/numbers.ts'
import type { WindowQuery } from '../queries/row-window.ts'
import { type Filter, withoutFilters } from '../state/row-params.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import { Button } from '../ui/button.tsx'
import { MessageBlock } from '../ui/messages/message-block.tsx'
import { filterLabel } from './filter-labels.ts'

interface NoMatchProps {
  filters: readonly Filter[]
  /** Counts the rows that match other filters. */
  totalQuery: (filters: Filter[]) => WindowQuery<{ total: number }>
}

export function NoMatch(props: NoMatchProps) {
  return <MessageBlock title="No rows match" actions={<RemoveFilterButtons {...props} />} />
}

/** For callers with a message of their own. */
export function RemoveFilterButtons({ filters, totalQuery }: NoMatchProps) {
  const changeParams = useChangeSearchParams()
  return (
    <>
      {filters.map((filter) => (
        <RemoveFilterButton
          key={filter[0]}
          filter={filter}
          totalQuery={totalQuery(filters.filter((other) => other !== filter))}
        />
      ))}
      {filters.length > 1 && (
        <Button onClick={focusSearchAnd(() => changeParams(withoutFilters(filters)))}>
          Remove all filters
        </Button>
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
    <Button onClick={focusSearchAnd(() => changeParams({ [filter[0]]: undefined }))}>
      Without {filterLabel(filter)}
      {data && `: ${pluralize(data.total, 'row')}`}
    </Button>
  )
}

/** The button disappears with the filter, so the focus moves to the search. */
function focusSearchAnd(remove: () => void): () => void {
  return () => {
    document.querySelector<HTMLElement>('search input')?.focus()
    remove()
  }
}
