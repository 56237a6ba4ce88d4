// What PostgreSQL's failures, and those of the way to it, mean to whoever asked.
import pg from 'pg'
import { Problem } from '../../errors.ts'
import { noRoom, unavailable } from './unavailable.ts'

/** SQLSTATEs, or their first two characters, of what may pass. */
const PASSING = [
  '08', // the connection
  '40', // a deadlock, a conflict with replication
  '53', // memory, disk, connections
  '57', // the server shuts down or starts, or a statement took too long
  '25006', // the server has become a replica
  '25P02', // a statement of the same transaction has failed, and says why
  '25P03', // idle in a transaction for too long
  '25P04',
  '55P03', // a lock that was not to be had
  '58', // the server's own system
]
const DISK_FULL = '53100'

export function asProblem(error: unknown): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error
  if (!(error instanceof pg.DatabaseError)) return isOfConnection(error) ? unavailable(error) : error
  const { code = '' } = error
  if (code === DISK_FULL) return noRoom(error)
  return PASSING.some((prefix) => code.startsWith(prefix)) ? unavailable(error) : error
}

/** Of the socket, by its code, or of the driver, by its words. */
function isOfConnection(error: Error): boolean {
  return (
    'syscall' in error ||
    /^E[A-Z]+$|^ERR_/.test(String((error as { code?: unknown }).code)) ||
    /^(Connection terminated|Client (has encountered|was closed)|Query read timeout|timeout expired)/.test(
      error.message,
    )
  )
}

/** The one moment where nobody here can tell whether something was stored. */
export function commitUnknown(cause: unknown): Problem {
  const detail =
    'The store was lost while this was being committed: it is stored whole or not at all. Send it again with the same Idempotency-Key, or with ids of your own, and nothing is stored twice.'
  return new Problem('unavailable', detail, { 'retry-after': '5' }, { cause })
}
