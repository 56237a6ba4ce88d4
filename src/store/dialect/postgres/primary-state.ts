// Reads how far the primary has committed, once for all requests that wait at the same time.
import { LruCache } from '../../cache/lru-cache.ts'
import { isUnavailable } from '../errors.ts'
import { PoolExhausted, type PostgresPool } from './pool.ts'

/** The primary at one position of its WAL. */
export interface PrimaryState {
  /** Everything that was committed before the state was read is at or before this position. */
  readonly lsn: string
  readonly timeline: string
  /** Rows read in this state or a later one. They are current as long as the primary has the same state. */
  readonly rows: LruCache<unknown>
}

const MAX_ROWS = 1000

/**
 * The position changes with every commit; after a failover the same position can occur again, on another timeline.
 * A server in recovery is not the primary and has no flush position.
 */
const READ_POSITION = `SELECT lsn::text AS lsn, left(pg_walfile_name(lsn), 8) AS timeline
  FROM (SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_flush_lsn() END AS lsn) AS flushed
  WHERE lsn IS NOT NULL`

type ReadState = () => Promise<PrimaryState | undefined>

/** Returns a function that reads the state of the primary; undefined while the primary is unreachable. */
export function primaryStateReader(
  usePrimary: <Result>(work: Parameters<typeof PostgresPool.prototype.use<Result>>[1]) => Promise<Result>,
): ReadState {
  let state: PrimaryState | undefined
  return shareCalls(async () => {
    try {
      const position = await usePrimary((connection) =>
        connection.get<Omit<PrimaryState, 'rows'>>(READ_POSITION),
      )
      const isSame = position?.lsn === state?.lsn && position?.timeline === state?.timeline
      if (!isSame) state = position && { ...position, rows: new LruCache(MAX_ROWS, () => 1) }
    } catch (error) {
      if (!isUnavailable(error) || (error as Error).cause instanceof PoolExhausted) throw error
      state = undefined
    }
    return state
  })
}

/**
 * Returns a function with the same result that calls `read` less often: one call at a time, which starts after all calls
 * that share its result.
 */
export function shareCalls<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | undefined
  async function start(previous: Promise<unknown>): Promise<Result> {
    await previous
    next = undefined
    return read()
  }
  return () => {
    if (!next) {
      next = start(running)
      running = next.catch(() => undefined)
    }
    return next
  }
}
