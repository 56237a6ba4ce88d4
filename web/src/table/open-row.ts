// Makes the row in the panel the current row of the table, and scrolls to it once.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { WindowQuery } from '../queries/row-window.ts'
import type { VisibleRange } from './scroll.ts'
import type { Table } from './table.ts'

interface OpenRow<Row> {
  /** The key of the open row, or undefined. */
  rowKey: string | undefined
  keyOf: (rowKey: Row) => string | undefined
  /** The query of the rows, compared by identity. */
  query: object
  /** Finds the index of the row. `located` is null if the filters exclude it. */
  positionQuery: WindowQuery<{ located?: number | null | undefined }>
  onFound?: () => void
}

export function useOpenRow<Row>(table: Table<Row>, options: OpenRow<Row>): void {
  const { scroll, roving } = table
  const { rowKey, keyOf, query, onFound } = options
  const [lastShown, setLastShown] = useState<{ rowKey: string | undefined; query: object }>()
  const isNew = rowKey !== undefined && (lastShown?.rowKey !== rowKey || lastShown.query !== query)
  const visibleIndex = isNew
    ? findVisibleIndex(scroll.visibleRange, (index) => {
        const visibleRow = table.windows.rowAt(index)
        return visibleRow !== undefined && keyOf(visibleRow) === rowKey
      })
    : undefined
  const position = useQuery({ ...options.positionQuery, enabled: isNew && visibleIndex === undefined })
  const index = visibleIndex ?? (isNew ? (position.data?.located ?? undefined) : undefined)
  useEffect(() => {
    if (index === undefined) return
    setLastShown({ rowKey, query })
    onFound?.()
    roving.setCurrentRow(index)
    scroll.scrollToRow(index)
  })
  // When the panel closes, the focus returns to its row.
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && rowKey === undefined && document.activeElement === document.body)
      roving.focusCell(roving.position)
    wasOpen.current = rowKey !== undefined
  })
}

function findVisibleIndex(
  { from, to }: VisibleRange,
  isMatch: (index: number) => boolean,
): number | undefined {
  for (let index = from; index <= to; index++) {
    if (isMatch(index)) return index
  }
  return undefined
}
