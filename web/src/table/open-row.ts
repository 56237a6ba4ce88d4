// Makes the row in the panel the current row of the table, and scrolls to it once.
import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { RowSource } from '../queries/row-window.ts'
import { indexesBetween } from './row-windows.ts'
import type { TableState } from './table-state.ts'

/** `openRow` is undefined if no row is open. `onFound` is called when the table has scrolled to it. */
export function useOpenRow<Row, Ref>(
  { scroll, roving, windows }: TableState<Row>,
  source: RowSource<Row, Ref>,
  openRow: Ref | undefined,
  onFound?: () => void,
): void {
  const rowKey = JSON.stringify(openRow)
  const [lastShown, setLastShown] = useState<{ rowKey: string | undefined; source: object }>()
  const isNew = openRow !== undefined && (lastShown?.rowKey !== rowKey || lastShown.source !== source)
  const isOpenRow = (index: number) => {
    const row = windows.rowAt(index)
    return row !== undefined && openRow !== undefined && source.hasRef(row, openRow)
  }
  const { from, to } = scroll.visibleRange
  const visibleIndex = isNew ? indexesBetween(from, to).find(isOpenRow) : undefined
  const request = openRow === undefined ? undefined : source.positionQuery(openRow)
  const position = useQuery({
    queryKey: request?.queryKey ?? ['position'],
    queryFn: request?.queryFn ?? skipToken,
    enabled: isNew && visibleIndex === undefined,
  })
  const index = visibleIndex ?? (isNew ? (position.data?.located ?? undefined) : undefined)
  useEffect(() => {
    if (index === undefined) return
    setLastShown({ rowKey, source })
    onFound?.()
    roving.setCurrentRow(index)
    scroll.scrollToRow(index)
  })
  // When the panel closes, the focus returns to its row.
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && openRow === undefined && document.activeElement === document.body)
      roving.focusCell(roving.position)
    wasOpen.current = openRow !== undefined
  })
}
