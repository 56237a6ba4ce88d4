// Loads rows in windows: the visible ones on demand, with a limited number of cached ones.
import { type QueryClient, useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type RowSource, type RowWindow, WINDOW_SIZE, type WindowQuery } from '../queries/row-window.ts'

const MAX_CACHED_WINDOWS = 60

type WindowQueryAt<Row> = (index: number) => WindowQuery<RowWindow<Row>>

/** A window that is no longer visible before it has loaded is canceled by its signal. */
export function useWindows<Row>(
  source: Pick<RowSource<Row, never>, 'windowQuery'>,
  version: string | undefined,
  total: number,
  visibleRange: Range,
) {
  const queryClient = useQueryClient()
  const windowQuery = (index: number) => source.windowQuery(index, version)
  const indexes = windowsAround(visibleRange, total, WINDOW_SIZE)
  const results = useQueries({ queries: indexes.map(windowQuery) })
  const loadedCount = results.filter((result) => result.isSuccess).length
  useEffect(() => {
    if (loadedCount > 0) evictOldWindows(queryClient, version)
  }, [queryClient, loadedCount, version])
  const newestResult = results.reduce<(typeof results)[number] | undefined>(
    (best, result) => (result.data && result.dataUpdatedAt > (best?.dataUpdatedAt ?? 0) ? result : best),
    undefined,
  )
  // While a window loads, the number of rows must not change back: the visible range depends on it.
  const latestTotal = useRef({ source, total })
  if (newestResult?.data) latestTotal.current = { source, total: newestResult.data.total }
  return {
    total: latestTotal.current.source === source ? latestTotal.current.total : total,
    rowAt: createRowReader(queryClient, windowQuery),
    /** Loads the window of the row if needed. */
    fetchRow: async (index: number): Promise<Row | undefined> => {
      const { rows } = await queryClient.fetchQuery(windowQuery(Math.floor(index / WINDOW_SIZE)))
      return rows[index % WINDOW_SIZE]
    },
    error: results.find((result) => result.error)?.error ?? null,
  }
}

/** Reads rows from cached windows. Looks up each window once. */
function createRowReader<Row>(queryClient: QueryClient, windowQuery: WindowQueryAt<Row>) {
  const windows = new Map<number, RowWindow<Row> | undefined>()
  return (index: number): Row | undefined => {
    const window = Math.floor(index / WINDOW_SIZE)
    if (!windows.has(window)) windows.set(window, queryClient.getQueryData(windowQuery(window).queryKey))
    return windows.get(window)?.rows[index % WINDOW_SIZE]
  }
}

/** Windows of other versions are never displayed again. Those of a newer version can be loading (see new-rows). */
function evictOldWindows(queryClient: QueryClient, version: string | undefined): void {
  const cache = queryClient.getQueryCache()
  const inactiveQueries = cache
    .findAll({
      type: 'inactive',
      fetchStatus: 'idle',
      predicate: (query) => query.queryKey[2] === 'rows',
    })
    .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  for (const [index, query] of inactiveQueries.entries()) {
    const isOtherVersion = version !== undefined && query.queryKey.at(-1) !== version
    if (isOtherVersion || index >= MAX_CACHED_WINDOWS) cache.remove(query)
  }
}

export interface Range {
  first: number
  last: number
}

/** Rows to load before and after the visible ones. Few enough that two windows always suffice. */
const PREFETCH_ROWS = 40

/** The windows that contain a range of rows and those to prefetch. */
export function windowsAround({ first, last }: Range, total: number, size: number): number[] {
  const from = Math.floor(Math.max(0, first - PREFETCH_ROWS) / size)
  const to = Math.floor(Math.max(first, last, Math.min(total - 1, last + PREFETCH_ROWS)) / size)
  return indexesBetween(from, to)
}

/** All indexes from the first to the last, inclusive. */
export function indexesBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}
