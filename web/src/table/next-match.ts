// Finds the next or previous matching row: first among the loaded rows, then on the server.
import { AssayError } from 'assay-client'
import { toast } from '../ui/toasts.tsx'
import { useLatestRequest } from './latest-request.ts'
import { HEADER } from './roving-focus.ts'
import type { Table } from './table.ts'

interface MatchSearch<Row> {
  isMatch: (row: Row) => boolean
  /** The index of the next match after a row, or undefined if there is none. */
  find: (from: Row, isForward: boolean) => Promise<number | undefined>
  /** The name of a match: "failure". */
  noun: string
}

/** `search` is undefined until it is known what to search for. */
export function useNextMatch<Row>(
  { windows, roving, scroll }: Table<Row>,
  search: MatchSearch<Row> | undefined,
) {
  const { rowAt } = windows
  const startRequest = useLatestRequest(String(roving.position.row))
  return async (isForward: boolean, goTo: (index: number) => void) => {
    const isLatest = startRequest()
    const currentIndex = Math.max(0, roving.position.row)
    const from = rowAt(currentIndex) ?? rowAt(scroll.visibleRange.first)
    if (!from || !search) return
    const step = isForward ? 1 : -1
    // If the focus is outside the table, the first row can be the match.
    const isInside = roving.hasFocus() && roving.position.row !== HEADER
    // Most matches are near, among the loaded rows.
    for (let index = isInside ? currentIndex + step : currentIndex; ; index += step) {
      const row = rowAt(index)
      if (!row) break
      if (search.isMatch(row)) return goTo(index)
    }
    try {
      const index = await search.find(from, isForward)
      if (!isLatest()) return
      if (index !== undefined) goTo(index)
      else toast(`No ${search.noun} ${isForward ? 'after' : 'before'} this row in this view.`)
    } catch (error) {
      toast(error instanceof AssayError ? error.detail : 'The server cannot be reached.')
    }
  }
}
