// The query whose rows the table displays: the previous one, until the first rows of the next have loaded.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { WindowQuery } from '../queries/row-window.ts'
import { useStable } from '../state/stable-values.ts'

const POLL_MS = 2000

export interface DisplayedQuery<Query, Data> {
  query: Query
  /** The first window, as first loaded. */
  first: Data
  /** The search params of the query. */
  search: object
}

interface DisplayedQueryOptions<Query, Data> {
  query: Query
  windowQuery: (query: Query, index: number) => WindowQuery<Data>
  isReady: boolean
  /** The evaluation has no rows yet: poll until it has. */
  isAwaitingRows?: boolean
}

export function useDisplayedQuery<Query extends object, Data extends { total: number }>({
  query,
  windowQuery,
  isReady,
  isAwaitingRows = false,
}: DisplayedQueryOptions<Query, Data>) {
  const stableQuery = useStable(query)
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const [displayed, setDisplayed] = useState<DisplayedQuery<Query, Data>>()
  // Compared by value: canceling a query returns to the displayed rows.
  const isPending = JSON.stringify(displayed?.query) !== JSON.stringify(stableQuery)
  const isEmpty = isAwaitingRows && displayed?.first.total === 0
  const firstWindow = useQuery({
    ...windowQuery(stableQuery, 0),
    enabled: isReady && (isPending || isEmpty),
    refetchInterval: isEmpty && POLL_MS,
  })
  if (firstWindow.data && (isPending || (isEmpty && firstWindow.data.total > 0))) {
    setDisplayed({ query: stableQuery, first: firstWindow.data, search })
  }
  return {
    displayed,
    isPending: isPending && firstWindow.error === null,
    error: isPending ? firstWindow.error : null,
    /** Cancels the pending query and restores the search params of the displayed rows. */
    cancel: displayed && (() => void navigate({ to: '.', search: displayed.search as never, replace: true })),
  }
}
