// Queues moves from row to row, because keys can be pressed faster than responses arrive. Each move starts at the row that
// the previous one reached.
import { AssayError } from 'assay-client'
import { useEffect, useRef } from 'react'
import { toast } from '../ui/toasts.tsx'

/** Limits the queue, so that moving stops soon after a held key is released. */
const MAX_QUEUED = 10

export type Step = 1 | -1

/** Finds the row to move to; undefined if there is none. */
type FindRow<Row> = (from: Row) => Promise<Row | undefined>

export function useRowStepQueue<Row>(
  row: Row,
  open: (row: Row) => void,
): (find: FindRow<Row>) => Promise<void> {
  const current = useRef(row)
  const queued = useRef(0)
  const tail = useRef(Promise.resolve())
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  if (queued.current === 0) current.current = row
  async function step(find: FindRow<Row>): Promise<void> {
    try {
      // Do not open another row after the panel was closed.
      const next = isMounted.current ? await find(current.current) : undefined
      if (next === undefined || !isMounted.current) return
      current.current = next
      open(next)
    } catch (error) {
      toast(error instanceof AssayError ? error.detail : 'The server cannot be reached.')
    } finally {
      queued.current -= 1
    }
  }
  return (find) => {
    if (queued.current >= MAX_QUEUED) return tail.current
    queued.current += 1
    tail.current = tail.current.then(() => step(find))
    return tail.current
  }
}

interface RowPosition {
  before?: number | undefined
  located?: number | null | undefined
  total: number
}

/** The offset of the previous or next row. Also works if the filters exclude the current row. */
export function adjacentOffset(
  { before = 0, located = null, total }: RowPosition,
  step: Step,
): number | undefined {
  const offset = step < 0 ? before - 1 : located === null ? before : located + 1
  return offset < 0 || offset >= total ? undefined : offset
}
