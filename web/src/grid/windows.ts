// Rows as windows of the view: those in sight are asked for, those of before are kept, and no more than a few of them.
import { type QueryClient, useQueries, useQueryClient } from '@tanstack/react-query'
import type { Rows } from 'assay-client'
import { useEffect } from 'react'
import type { Row } from '../evaluation/cells.ts'
import { type RowQuestion, WINDOW, windowQuestion } from '../evaluation/questions.ts'
import type { Settled } from '../evaluation/settled.ts'
import { type Range, windowsAround } from './ranges.ts'

/** How many windows are kept. */
const KEPT = 60
export interface Windows {
  total: number
  rowAt: (index: number) => Row | undefined
  /** The same, once it is there. */
  fetchRow: (index: number) => Promise<Row | undefined>
  error: Error | null
}

/** A window that goes out of sight before it is there is given up: its signal ends the request. */
export function useWindows(id: string, { question, total }: Settled, rested: Range): Windows {
  const queries = useQueryClient()
  const indexes = windowsAround(rested, total, WINDOW)
  const answers = useQueries({ queries: indexes.map((index) => windowQuestion(id, question, index)) })
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
    rowAt: reader(queries, id, question),
    fetchRow: async (index) => {
      const asked = windowQuestion(id, question, Math.floor(index / WINDOW))
      return (await queries.fetchQuery(asked)).rows[index % WINDOW]
    },
    error: answers.find((one) => one.error)?.error ?? null,
  }
}

/** Reads rows of all windows that are kept, each looked up once. */
function reader(queries: QueryClient, id: string, question: RowQuestion) {
  const found = new Map<number, Rows | undefined>()
  return (index: number): Row | undefined => {
    const window = Math.floor(index / WINDOW)
    if (!found.has(window)) {
      found.set(window, queries.getQueryData(windowQuestion(id, question, window).queryKey))
    }
    return found.get(window)?.rows[index % WINDOW]
  }
}

function keepFew(queries: QueryClient): void {
  const cache = queries.getQueryCache()
  const kept = cache
    .findAll({
      queryKey: ['evaluation'],
      type: 'inactive',
      predicate: (query) => query.queryKey[2] === 'rows',
    })
    .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  for (const query of kept.slice(KEPT)) cache.remove(query)
}
