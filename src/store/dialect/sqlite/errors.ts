// Translates SQLite errors into HTTP problems.
import { insufficientStorageError, unavailableError } from '../errors.ts'

/** Result codes of temporary failures: busy, locked, out of memory, read-only, I/O error, cannot open. */
const TRANSIENT_CODES = new Set([5, 6, 7, 8, 10, 14])
const DISK_FULL_CODE = 13

/** Runs `work`. Throws temporary failures as `unavailable`, a full disk as `insufficient-storage`. */
export function translateErrors<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw asProblem(error)
  }
}

export function asProblem(error: unknown): unknown {
  const code = (error as { errcode?: number }).errcode
  if (code === undefined) return error
  if ((code & 0xff) === DISK_FULL_CODE) return insufficientStorageError(error)
  return TRANSIENT_CODES.has(code & 0xff) ? unavailableError(error) : error
}
