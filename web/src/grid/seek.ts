// The next row of a kind, or the one before: among the rows that are there, or wherever in the view the server finds it.
import { AssayError } from 'assay-client'
import { toast } from '../shell/toasts.tsx'
import { HEADER } from './roving.ts'
import type { Table } from './table.ts'
import { useTurn } from './turn.ts'

interface Sought<Row> {
  isSought: (row: Row) => boolean
  /** Its place in the view, from a row on; undefined where there is no more of them that way. */
  find: (from: Row, isForward: boolean) => Promise<number | undefined>
  /** What one of them is called. */
  noun: string
}

/** Undefined where it is not known yet what is sought. */
export function useSeek<Row>({ windows, roving, scroll }: Table<Row>, sought: Sought<Row> | undefined) {
  const { rowAt } = windows
  const beginTurn = useTurn(String(roving.place.row))
  return async (isForward: boolean, goTo: (index: number) => void) => {
    const isMyTurn = beginTurn()
    const at = Math.max(0, roving.place.row)
    const from = rowAt(at) ?? rowAt(scroll.sight.first)
    if (!from || !sought) return
    const step = isForward ? 1 : -1
    // From outside of the table the row that it begins with is looked at too.
    const isInside = roving.isFocused() && roving.place.row !== HEADER
    // Most are near, among the rows that are there.
    for (let index = isInside ? at + step : at; ; index += step) {
      const row = rowAt(index)
      if (!row) break
      if (sought.isSought(row)) return goTo(index)
    }
    try {
      const found = await sought.find(from, isForward)
      if (!isMyTurn()) return
      if (found !== undefined) goTo(found)
      else toast(`No ${sought.noun} ${isForward ? 'after' : 'before'} this row in this view.`)
    } catch (error) {
      toast(error instanceof AssayError ? error.detail : 'The server cannot be reached.')
    }
  }
}
