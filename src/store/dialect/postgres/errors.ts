// Translates PostgreSQL and connection errors into HTTP problems.
import pg from 'pg'
import { Problem } from '../../../errors.ts'
import { formatSeconds, insufficientStorageError, storeDamagedError, unavailableError } from '../errors.ts'

/** The server is unreachable, closed the connection or did not respond in time. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
}

/** lock_not_available */
const LOCK_TIMEOUT_CODE = '55P03'

/** SQLSTATE codes, or their class (first two characters), of temporary failures. */
const TRANSIENT_CODES = [
  '08', // connection failure
  '40', // deadlock, conflict with replication
  '53', // out of memory, disk or connections
  '57', // server starting or shutting down, statement timeout
  '25006', // read-only: the server has become a replica
  '25P02', // an earlier statement of the transaction has failed with its own error
  '25P03', // idle-in-transaction timeout
  '25P04', // transaction timeout
  LOCK_TIMEOUT_CODE,
  '58', // system error on the server
]
const CANCELED_CODE = '57014'
const DISK_FULL_CODE = '53100'
/** data_corrupted and index_corrupted */
const DAMAGED_CODES = ['XX001', 'XX002']

/** Whether the same request can succeed later. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return error instanceof ConnectionLost
  const { code = '' } = error
  return TRANSIENT_CODES.some((prefix) => code.startsWith(prefix))
}

/**
 * Whether the server canceled the statement after its time limit. The code is the same if an operator cancels it; only the
 * message differs, so a server with messages in another language reports both as timeouts.
 */
export function isStatementTimeout(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === CANCELED_CODE &&
    !error.message.includes('user request')
  )
}

/** Whether a problem was caused by a statement that waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof Problem ? error.cause : undefined
  return cause instanceof pg.DatabaseError && cause.code === LOCK_TIMEOUT_CODE
}

export function asProblem(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && error.code === DISK_FULL_CODE)
    return insufficientStorageError(error)
  if (error instanceof pg.DatabaseError && DAMAGED_CODES.includes(error.code ?? ''))
    return storeDamagedError(`PostgreSQL: ${error.message}`, error)
  return isTransient(error) ? unavailableError(error) : error
}

/** A short statement exceeded its time limit, so it waited for a lock or for a busy server. */
export function statementTimeoutError(cause: unknown, limitMs: number): Problem {
  return unavailableError(
    cause,
    undefined,
    `A database statement took longer than ${formatSeconds(limitMs)} (statement-timeout), for example because it waited for another write. Try again shortly.`,
  )
}

/** The connection was lost during COMMIT, so the outcome is unknown. */
export function commitOutcomeUnknownError(cause: unknown): Problem {
  const detail =
    'The database connection was lost during the commit: either everything was stored or nothing. Retry with the same Idempotency-Key, or with your own ids, to avoid duplicates.'
  return new Problem('unavailable', detail, { 'retry-after': '5' }, { cause })
}
