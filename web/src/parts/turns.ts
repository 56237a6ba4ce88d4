// Moves from row to row: presses that come faster than answers act one after another, each from where the one before it led.
import { AssayError } from 'assay-client'
import { useEffect, useRef } from 'react'
import { toast } from '../shell/toasts.tsx'

/** So many presses wait for those before them: a key that is held down stops soon after it is let go. */
const MOST_WAITING = 10

export type Step = 1 | -1

/** Finds the row to go to from one; undefined where there is none. */
type Find<Row> = (from: Row) => Promise<Row | undefined>

export function useTurns<Row>(row: Row, open: (row: Row) => void): (find: Find<Row>) => Promise<void> {
  const at = useRef(row)
  const waiting = useRef(0)
  const last = useRef(Promise.resolve())
  const isThere = useRef(true)
  useEffect(() => {
    isThere.current = true
    return () => {
      isThere.current = false
    }
  }, [])
  if (waiting.current === 0) at.current = row
  async function take(find: Find<Row>): Promise<void> {
    try {
      // Whoever has closed it meanwhile wants no other.
      const next = isThere.current ? await find(at.current) : undefined
      if (next === undefined || !isThere.current) return
      at.current = next
      open(next)
    } catch (error) {
      toast(error instanceof AssayError ? error.detail : 'The server cannot be reached.')
    } finally {
      waiting.current -= 1
    }
  }
  return (find) => {
    if (waiting.current >= MOST_WAITING) return last.current
    waiting.current += 1
    last.current = last.current.then(() => take(find))
    return last.current
  }
}

interface Placed {
  before?: number | undefined
  located?: number | null | undefined
  total: number
}

/** The offset of the row before or behind one, whether or not the view has that itself. */
export function offsetBeside({ before = 0, located = null, total }: Placed, step: Step): number | undefined {
  const offset = step < 0 ? before - 1 : located === null ? before : located + 1
  return offset < 0 || offset >= total ? undefined : offset
}
