// Finds the next or previous matching row: first among the loaded rows, then on the server.
import { useQueryClient } from '@tanstack/react-query'
import { AssayError } from 'assay-client'
import { findAdjacentRow, type RowSource } from '../queries/row-window.ts'
import { toast } from '../ui/messages/toasts.tsx'
import { useLatestRequest } from './latest-request.ts'
import { HEADER } from './roving-focus.ts'
import type { TableState } from './table-state.ts'

export interface MatchSearch<Row, Ref> {
  /** The name of a match: "failure". */
  noun: string
  /** Undefined until it is known what to search for. */
  isMatch: ((row: Row) => boolean) | undefined
  /** The matches among the rows; undefined if there are none. */
  matches: RowSource<Row, Ref> | undefined
}

export function useNextMatch<Row, Ref>(
  { windows, roving, scroll }: TableState<Row>,
  source: RowSource<Row, Ref>,
) {
  const { rowAt } = windows
  const queryClient = useQueryClient()
  const startRequest = useLatestRequest(String(roving.position.row))
  /** The index of the next match after a row. */
  async function findIndex(
    matches: MatchSearch<Row, Ref>['matches'],
    from: Row,
    step: 1 | -1,
  ): Promise<number | undefined> {
    const ref = source.refOf(from)
    const match =
      matches && ref !== undefined ? await findAdjacentRow(queryClient, matches, ref, step) : undefined
    if (match === undefined) return undefined
    return (await queryClient.fetchQuery(source.positionQuery(match))).located ?? undefined
  }
  return async (
    { noun, isMatch, matches }: MatchSearch<Row, Ref>,
    step: 1 | -1,
    goTo: (index: number) => void,
  ) => {
    const isLatest = startRequest()
    const currentIndex = Math.max(0, roving.position.row)
    const from = rowAt(currentIndex) ?? rowAt(scroll.visibleRange.first)
    if (!from || !isMatch) return
    // If the focus is outside the table, the first row can be the match.
    const isInside = roving.hasFocus() && roving.position.row !== HEADER
    // Most matches are near, among the loaded rows.
    for (let index = isInside ? currentIndex + step : currentIndex; ; index += step) {
      const row = rowAt(index)
      if (!row) break
      if (isMatch(row)) return goTo(index)
    }
    try {
      const index = await findIndex(matches, from, step)
      if (!isLatest()) return
      if (index !== undefined) goTo(index)
      else toast(`No ${noun} ${step > 0 ? 'after' : 'before'} this row in this view.`)
    } catch (error) {
      toast(error instanceof AssayError ? error.detail : 'The server cannot be reached.')
    }
  }
}
