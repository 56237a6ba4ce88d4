// What SQLite's failures mean to whoever asked.
import { noRoom, unavailable } from './unavailable.ts'

/** SQLite's result codes for what may pass: busy, locked, out of memory, read-only, I/O error, cannot open. */
const PASSING = new Set([5, 6, 7, 8, 10, 14])
const FULL = 13

/** Turns a failure that may pass into one that says so; everything else stays what it is. */
export function answered<Answer>(ask: () => Answer): Answer {
  try {
    return ask()
  } catch (error) {
    throw asProblem(error)
  }
}

export function asProblem(error: unknown): unknown {
  const code = (error as { errcode?: number }).errcode
  if (code === undefined) return error
  if ((code & 0xff) === FULL) return noRoom(error)
  return PASSING.has(code & 0xff) ? unavailable(error) : error
}
