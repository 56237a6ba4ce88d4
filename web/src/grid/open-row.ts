// The row that the panel shows is the table's current one: found wherever in the view it is, and brought into sight once.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Sight } from './scroll.ts'
import type { Table } from './table.ts'
import type { WindowQuestion } from './windows.ts'

interface OpenRow<Row> {
  /** What tells the row from others; undefined where none is open. */
  row: string | undefined
  keyOf: (row: Row) => string | undefined
  /** What rows answer, the same object as long as they do. */
  question: object
  /** Asks where the row stands: `located` is null where the view leaves it out. */
  place: WindowQuestion<{ located?: number | null | undefined }>
  onFound?: () => void
}

export function useOpenRow<Row>(table: Table<Row>, opened: OpenRow<Row>): void {
  const { scroll, roving } = table
  const { row, keyOf, question, onFound } = opened
  const [followed, setFollowed] = useState<{ row: string | undefined; question: object }>()
  const isNew = row !== undefined && (followed?.row !== row || followed.question !== question)
  const inSight = isNew
    ? indexInSight(scroll.sight, (index) => {
        const there = table.windows.rowAt(index)
        return there !== undefined && keyOf(there) === row
      })
    : undefined
  const place = useQuery({ ...opened.place, enabled: isNew && inSight === undefined })
  const index = inSight ?? (isNew ? (place.data?.located ?? undefined) : undefined)
  useEffect(() => {
    if (index === undefined) return
    setFollowed({ row, question })
    onFound?.()
    roving.mark(index)
    scroll.show(index)
  })
  // A panel that closes gives the focus back to its row.
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && row === undefined && document.activeElement === document.body)
      roving.go(roving.place)
    wasOpen.current = row !== undefined
  })
}

function indexInSight({ from, to }: Sight, isIt: (index: number) => boolean): number | undefined {
  for (let index = from; index <= to; index++) {
    if (isIt(index)) return index
  }
  return undefined
}
