// Reads from a PostgreSQL primary and its replicas, always in read-only transactions. Single statements use the primary.
// Snapshots use a replica once it has replayed everything committed before, so that clients read their own writes.
// If no replica is available the primary is used, and if the primary is unreachable, a replica.
import { setTimeout as delay } from 'node:timers/promises'
import { BaseConnection } from '../base-connection.ts'
import type { Connection, Read, Reader, SnapshotKind } from '../dialect.ts'
import { isUnavailable, unavailableError } from '../errors.ts'
import type { PostgresConnection, TransactionOptions } from './connection.ts'
import { queryTimeoutError } from './errors.ts'
import { PoolExhausted, type PostgresPool, StaleConnection } from './pool.ts'
import { SQL_FRAGMENTS } from './sql.ts'

const STATEMENT_MODE = 'READ ONLY'
/**
 * Forces index scans. With missing or skewed statistics, the planner would scan and sort again for each chunk of a
 * long response.
 */
const SNAPSHOT_MODE =
  'ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_seqscan = off'
/**
 * Forces hash joins in memory. Without statistics, the planner assumes that a new table is small and uses nested
 * loops.
 */
const QUERY_MODE = `ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_nestloop = off;
  SET LOCAL work_mem = '64MB'; SET LOCAL jit = off`

/** Delays between checks whether a replica has caught up. */
const CATCH_UP_DELAYS_MS = [2, 5, 10, 20, 40]

type Work<Result> = (connection: PostgresConnection) => Promise<Result>

export class PostgresReader extends BaseConnection implements Reader {
  readonly sql = SQL_FRAGMENTS
  readonly #primary: PostgresPool
  readonly #replicas: PostgresPool[]
  readonly #queryOptions: TransactionOptions
  #nextReplica = 0

  /** `queryMs` is the time limit of a statement in a snapshot for queries. */
  constructor(primary: PostgresPool, replicas: PostgresPool[], queryMs: number) {
    super()
    this.#primary = primary
    this.#replicas = replicas
    this.#queryOptions = { statementMs: queryMs, timeoutError: queryTimeoutError }
  }

  latest(): Connection {
    return this
  }

  read(read: Read): Promise<unknown> {
    const work: Work<unknown> = (connection) =>
      runTransaction(connection, STATEMENT_MODE, () => connection.read(read))
    // A replica can return old data, so it is used only after a new attempt to reach the primary has failed.
    const ignoresBackoff = this.#replicas.length > 0
    return tryPools([this.#primary, ...this.#nextReplicas()], (pool) =>
      pool.use('short', work, ignoresBackoff),
    )
  }

  async snapshot<Result>(
    kind: SnapshotKind,
    work: (snapshot: Connection) => Promise<Result>,
  ): Promise<Result> {
    const committedLsn = this.#replicas.length === 0 ? undefined : await this.#readCommittedLsn()
    let hasBegun = false
    const run = (pool: PostgresPool) =>
      pool.use(kind === 'short' ? 'short' : 'long', async (connection) => {
        if (pool !== this.#primary && committedLsn !== undefined)
          await waitForReplay(connection, committedLsn)
        hasBegun = true
        return kind === 'query'
          ? runTransaction(connection, QUERY_MODE, work, this.#queryOptions)
          : runTransaction(connection, SNAPSHOT_MODE, work)
      })
    // A long snapshot can have sent part of a response, so it is not restarted.
    const canRetry = () => kind === 'short' || !hasBegun
    return tryPools([...this.#nextReplicas(), this.#primary], run, canRetry)
  }

  /** The primary's WAL flush position; undefined while it is unreachable. */
  async #readCommittedLsn(): Promise<string | undefined> {
    const readLsn = (connection: PostgresConnection) =>
      connection.get<{ lsn: string | null }>(
        // A server in recovery is not the primary and has no flush position.
        'SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_current_wal_flush_lsn()::text END AS lsn',
      )
    try {
      const row = await tryPools([this.#primary], (pool) => pool.use('short', readLsn, true))
      return row?.lsn ?? undefined
    } catch (error) {
      if (isUnavailable(error) && !((error as Error).cause instanceof PoolExhausted)) return undefined
      throw error
    }
  }

  /** The reachable replicas, starting with the next one (round robin). */
  #nextReplicas(): PostgresPool[] {
    this.#nextReplica += 1
    const firstIndex = this.#nextReplica % (this.#replicas.length || 1)
    return [...this.#replicas.slice(firstIndex), ...this.#replicas.slice(0, firstIndex)].filter(
      ({ isUnreachable }) => !isUnreachable,
    )
  }
}

/** The result of the first available server. If none is available, throws the error of the first. */
async function tryPools<Result>(
  pools: PostgresPool[],
  run: (pool: PostgresPool) => Promise<Result>,
  canRetry = () => true,
): Promise<Result> {
  const errors: unknown[] = []
  for (const pool of pools) {
    for (const isRetry of [false, true]) {
      try {
        return await run(pool)
      } catch (error) {
        if (!isUnavailable(error) || !canRetry()) throw error
        errors.push(error)
        // Only a stale connection is worth a second attempt on the same server.
        if (isRetry || !((error as Error).cause instanceof StaleConnection)) break
      }
    }
  }
  throw errors[0]
}

/** Does not wait for ROLLBACK; the next use of the connection is queued after it. */
async function runTransaction<Result>(
  connection: PostgresConnection,
  mode: string,
  work: Work<Result>,
  options?: TransactionOptions,
): Promise<Result> {
  connection.begin(mode, options)
  try {
    return await work(connection)
  } finally {
    connection.end('ROLLBACK').catch(() => connection.destroy())
  }
}

/** Throws unavailable if the replica does not catch up. Must run before the snapshot begins. */
async function waitForReplay(connection: PostgresConnection, committedLsn: string): Promise<void> {
  for (const delayMs of [...CATCH_UP_DELAYS_MS, 0]) {
    const row = await connection.get<{ hasReplayed: boolean | null }>(
      'SELECT pg_last_wal_replay_lsn() >= ?::pg_lsn AS "hasReplayed"',
      committedLsn,
    )
    if (row?.hasReplayed) return
    // A server that is no longer a replica will not catch up.
    if (row?.hasReplayed === null) break
    await delay(delayMs)
  }
  throw unavailableError(new Error('The replica has not caught up'))
}
