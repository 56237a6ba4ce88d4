// Queues moves from row to row, because keys can be pressed faster than responses arrive. Each move starts at the row that
// the previous one reached.
import { AssayError } from 'assay-client'
import { useEffect, useRef } from 'react'
import { toast } from '../ui/toasts.tsx'

/** Limits the queue, so that moving stops soon after a held key is released. */
const MAX_QUEUED_STEPS = 10

export type Step = 1 | -1

/** Finds the row to move to; undefined if there is none. */
type FindRow<Row> = (from: Row) => Promise<Row | undefined>

export function useRowStepQueue<Row>(
  row: Row,
  open: (row: Row) => void,
): (find: FindRow<Row>) => Promise<void> {
  const currentRow = useRef(row)
  const queuedCount = useRef(0)
  const lastStep = useRef(Promise.resolve())
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  if (queuedCount.current === 0) currentRow.current = row
  async function step(find: FindRow<Row>): Promise<void> {
    try {
      // Do not open another row after the panel was closed.
      const nextRow = isMounted.current ? await find(currentRow.current) : undefined
      if (nextRow === undefined || !isMounted.current) return
      currentRow.current = nextRow
      open(nextRow)
    } catch (error) {
      toast(error instanceof AssayError ? error.detail : 'The server cannot be reached.')
    } finally {
      queuedCount.current -= 1
    }
  }
  return (find) => {
    if (queuedCount.current >= MAX_QUEUED_STEPS) return lastStep.current
    queuedCount.current += 1
    lastStep.current = lastStep.current.then(() => step(find))
    return lastStep.current
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
