// The row that the panel shows is the table's current one: found wherever in the view it is, and brought into sight once.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Roving } from '../grid/roving.ts'
import type { Sight } from '../grid/scroll.ts'
import type { Windows } from '../grid/windows.ts'
import { takeOver } from './handed-over.ts'
import { placeQuestion } from './questions.ts'
import type { Settled } from './settled.ts'
import type { Shown } from './shown.ts'

interface OpenRow {
  shown: Shown
  settled: Settled
  sight: Sight
  rowAt: Windows['rowAt']
  roving: Roving
  show: (index: number) => void
}

export function useOpenRow({ shown, settled, sight, rowAt, roving, show }: OpenRow): void {
  // Whoever comes back from the page of a scenario goes on at its row.
  const [left, setLeft] = useState(() => takeOver('row'))
  const row = shown.view.row ?? left
  const { question } = settled
  const [followed, setFollowed] = useState<{ row: string | undefined; question: unknown }>()
  const isNew = row !== undefined && (followed?.row !== row || followed.question !== question)
  const inSight = isNew ? indexInSight(sight, rowAt, row) : undefined
  const place = useQuery({
    ...placeQuestion(shown.id, question, row ?? ''),
    enabled: isNew && inSight === undefined,
  })
  const index = inSight ?? (isNew ? (place.data?.located ?? undefined) : undefined)
  useEffect(() => {
    if (index === undefined) return
    setFollowed({ row, question })
    setLeft(undefined)
    roving.mark(index)
    show(index)
  })
  // A panel that closes gives the focus back to its row.
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && row === undefined && document.activeElement === document.body)
      roving.go(roving.place)
    wasOpen.current = row !== undefined
  })
}

function indexInSight({ from, to }: Sight, rowAt: Windows['rowAt'], id: string): number | undefined {
  for (let index = from; index <= to; index++) {
    if (rowAt(index)?.id === id) return index
  }
  return undefined
}
