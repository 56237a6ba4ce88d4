// Translates PostgreSQL and connection errors into HTTP problems.
import pg from 'pg'
import { Problem } from '../../../errors.ts'
import { insufficientStorageError, storeDamagedError, unavailableError } from '../errors.ts'

/** The server is unreachable, closed the connection or did not respond in time. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
}

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
  '55P03', // lock not available
  '58', // system error on the server
]
const DISK_FULL_CODE = '53100'
/** data_corrupted and index_corrupted */
const DAMAGED_CODES = ['XX001', 'XX002']

/** Whether the same request can succeed later. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return error instanceof ConnectionLost
  const { code = '' } = error
  return TRANSIENT_CODES.some((prefix) => code.startsWith(prefix))
}

export function asProblem(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && error.code === DISK_FULL_CODE)
    return insufficientStorageError(error)
  if (error instanceof pg.DatabaseError && DAMAGED_CODES.includes(error.code ?? ''))
    return storeDamagedError(`PostgreSQL: ${error.message}`, error)
  return isTransient(error) ? unavailableError(error) : error
}

/** The connection was lost during COMMIT, so the outcome is unknown. */
export function commitOutcomeUnknownError(cause: unknown): Problem {
  const detail =
    'The database connection was lost during the commit: either everything was stored or nothing. Retry with the same Idempotency-Key, or with your own ids, to avoid duplicates.'
  return new Problem('unavailable', detail, { 'retry-after': '5' }, { cause })
}
