// HTTP problems for a store that is unavailable or out of disk space, for both engines.
import { Problem } from '../../errors.ts'

export function unavailableError(cause: unknown, retryAfterMs = 1000): Problem {
  const detail = 'The database is not available at the moment. Try again shortly.'
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return new Problem('unavailable', detail, { 'retry-after': String(seconds) }, { cause })
}

export function insufficientStorageError(cause: unknown): Problem {
  const detail = 'The database has no disk space left. Nothing was stored; try again when space is available.'
  return new Problem('insufficient-storage', detail, { 'retry-after': '60' }, { cause })
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof Problem && error.code === 'unavailable'
}
