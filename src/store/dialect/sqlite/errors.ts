// Translates SQLite errors into HTTP problems.
import { insufficientStorageError, storeDamagedError, unavailableError } from '../errors.ts'

/** Result codes of temporary failures: busy, locked, out of memory, read-only, I/O error, cannot open. */
const TRANSIENT_CODES = new Set([5, 6, 7, 8, 10, 14])
const BUSY_CODE = 5
const DISK_FULL_CODE = 13
/** The file is corrupt, or it is not a database. */
const DAMAGED_CODES = new Set([11, 26])
const TOO_LARGE_CODE = 18

/** Runs `work`. Throws SQLite errors as problems: see `asProblem`. */
export function translateErrors<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw asProblem(path, error)
  }
}

/** Converts temporary failures, a full disk and a damaged file. `path` is the file of the store. */
export function asProblem(path: string, error: unknown): unknown {
  const { errcode, message } = error as { errcode?: number; message: string }
  if (errcode === undefined) return error
  const code = errcode & 0xff
  if (isDamaged(error)) return storeDamagedError(`${path}: ${message}`, error)
  if (code === DISK_FULL_CODE) return insufficientStorageError(error)
  return TRANSIENT_CODES.has(code) ? unavailableError(error) : error
}

/** Whether another process has the lock. */
export function isBusy(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY_CODE
}

export function isDamaged(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number }
  return DAMAGED_CODES.has(errcode & 0xff)
}

/** Whether a value was larger than the limit of the connection. */
export function isTooLarge(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === TOO_LARGE_CODE
}
