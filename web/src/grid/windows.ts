// Rows as windows of the view: those in sight are asked for, those of before are kept, and no more than a few of them.
import { type QueryClient, useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Range, windowsAround } from './ranges.ts'

/** How many rows are asked for at once. */
export const WINDOW = 200
/** How many windows are kept. */
const KEPT = 60

export interface Window<Row> {
  /** How many rows the whole view has. */
  total: number
  rows: Row[]
}

/** One question about a view: its name has the word `rows` at the third place. */
export interface WindowQuestion<Answer> {
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal }) => Promise<Answer>
}

/** The question for one of the windows of a view. */
export type Ask<Answer> = (index: number) => WindowQuestion<Answer>

export interface Windows<Row> {
  total: number
  rowAt: (index: number) => Row | undefined
  /** The same, once it is there. */
  fetchRow: (index: number) => Promise<Row | undefined>
  error: Error | null
}

/** A window that goes out of sight before it is there is given up: its signal ends the request. */
export function useWindows<Row>(ask: Ask<Window<Row>>, total: number, rested: Range): Windows<Row> {
  const queries = useQueryClient()
  const indexes = windowsAround(rested, total, WINDOW)
  const answers = useQueries({ queries: indexes.map(ask) })
  const arrived = answers.filter((one) => one.isSuccess).length
  useEffect(() => {
    if (arrived > 0) keepFew(queries)
  }, [queries, arrived])
  const newest = answers.reduce<(typeof answers)[number] | undefined>(
    (best, one) => (one.data && one.dataUpdatedAt > (best?.dataUpdatedAt ?? 0) ? one : best),
    undefined,
  )
  return {
    total: newest?.data?.total ?? total,
    rowAt: reader(queries, ask),
    fetchRow: async (index) => {
      const { rows } = await queries.fetchQuery(ask(Math.floor(index / WINDOW)))
      return rows[index % WINDOW]
    },
    error: answers.find((one) => one.error)?.error ?? null,
  }
}

/** Reads rows of all windows that are kept, each looked up once. */
function reader<Row>(queries: QueryClient, ask: Ask<Window<Row>>) {
  const found = new Map<number, Window<Row> | undefined>()
  return (index: number): Row | undefined => {
    const window = Math.floor(index / WINDOW)
    if (!found.has(window)) found.set(window, queries.getQueryData(ask(window).queryKey))
    return found.get(window)?.rows[index % WINDOW]
  }
}

function keepFew(queries: QueryClient): void {
  const cache = queries.getQueryCache()
  const kept = cache
    .findAll({ type: 'inactive', predicate: (query) => query.queryKey[2] === 'rows' })
    .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  for (const query of kept.slice(KEPT)) cache.remove(query)
}
