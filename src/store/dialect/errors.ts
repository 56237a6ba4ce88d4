// HTTP problems for a store that is unavailable, out of disk space or damaged, for both engines.
import { Problem } from '../../errors.ts'

export function unavailableError(
  cause: unknown,
  retryAfterMs = 1000,
  detail = 'The database is not available at the moment. Try again shortly.',
): Problem {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return new Problem('unavailable', detail, { 'retry-after': String(seconds) }, { cause })
}

/** A filter, summary or comparison exceeded its time limit. It would do so again. */
export function queryTimeoutError(cause: unknown, limitMs: number): Problem {
  const detail = `The query took longer than ${formatSeconds(limitMs)} and was canceled. The same request will time out again. Select fewer rows with filters, or increase the setting query-timeout of the service.`
  return new Problem('query-timeout', detail, {}, { cause })
}

export function formatSeconds(ms: number): string {
  return `${ms / 1000} s`
}

export function insufficientStorageError(cause: unknown): Problem {
  const detail = 'The database has no disk space left. Nothing was stored; try again when space is available.'
  return new Problem('insufficient-storage', detail, { 'retry-after': '60' }, { cause })
}

/** The reason is not sent to clients. It names the file or relation, for the log and the command line. */
export function storeDamagedError(reason: string, cause: unknown): Problem {
  const detail =
    'The store is damaged, so this request cannot be completed. Retrying does not help: the operator must restore a backup.'
  return new Problem('store-damaged', detail, {}, { cause: new Error(reason, { cause }) })
}

/** Where and how the store is damaged, or undefined if the error has another cause. */
export function getDamage(error: unknown): string | undefined {
  const isDamage = error instanceof Problem && error.code === 'store-damaged'
  return isDamage ? (error.cause as Error).message : undefined
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof Problem && error.code === 'unavailable'
}
