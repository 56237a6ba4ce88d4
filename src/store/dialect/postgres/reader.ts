// Reads from a PostgreSQL primary and its replicas, always in read-only transactions. A replica is used once it has
// replayed everything committed before the request, so that clients read their own writes. If no replica is available
// the primary is used, and if the primary is unreachable, a replica.
import { setTimeout as delay } from 'node:timers/promises'
import { Connection, type Read, type Reader, type SnapshotKind, type SnapshotReader } from '../dialect.ts'
import { isUnavailable, queryTimeoutError } from '../errors.ts'
import type { PostgresConnection, TransactionOptions } from './connection.ts'
import { type PostgresPool, StaleConnection } from './pool.ts'
import { type PrimaryState, primaryStateReader } from './primary-state.ts'
import { Replica } from './replica.ts'
import { SQL_FRAGMENTS } from './sql.ts'

/** A running statement is canceled this often until it ends. */
const CANCEL_INTERVAL_MS = 100

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

const MODES: Record<SnapshotKind, string> = { short: SNAPSHOT_MODE, long: SNAPSHOT_MODE, query: QUERY_MODE }

type Work<Result> = (connection: PostgresConnection, isReplica: boolean) => Promise<Result>

/** A transaction that reads. */
interface ReadTransaction<Result> {
  kind: SnapshotKind
  mode: string
  signal?: AbortSignal | undefined
  work: Work<Result>
}

export class PostgresReader extends Connection implements Reader {
  readonly hasRowCache = false
  readonly sql = SQL_FRAGMENTS
  readonly #primary: PostgresPool
  readonly #replicas: Replica[]
  readonly #queryOptions: TransactionOptions
  readonly #readPrimaryState: () => Promise<PrimaryState | undefined>
  #nextReplica = 0

  /** `queryMs` is the time limit of a statement in a snapshot for queries. */
  constructor(primary: PostgresPool, replicas: PostgresPool[], queryMs: number) {
    super()
    this.#primary = primary
    this.#replicas = replicas.map((pool) => new Replica(pool))
    this.#queryOptions = {
      statementMs: queryMs,
      timeoutError: queryTimeoutError,
    }
    this.#readPrimaryState = primaryStateReader((work) =>
      tryServers([primary], (pool) => pool.use('short', work, true)),
    )
  }

  latest(): SnapshotReader {
    if (this.#replicas.length === 0) return this
    const state = this.#readPrimaryState()
    // A failure is thrown by the first read.
    state.catch(() => undefined)
    const replicas = this.#nextReplicas()
    return new LatestReader(state, async (transaction) => this.#run(await state, replicas, transaction))
  }

  /** Single statements outside of `latest` use the primary. */
  read(read: Read): Promise<unknown> {
    const work = (connection: PostgresConnection) =>
      runTransaction(connection, STATEMENT_MODE, () => connection.read(read))
    // A replica can return old data, so it is used only after a new attempt to reach the primary has failed.
    const ignoresBackoff = this.#replicas.length > 0
    const pools = [this.#primary, ...this.#nextReplicas().map(({ pool }) => pool)]
    return tryServers(pools, (pool) => pool.use('short', work, ignoresBackoff))
  }

  async snapshot<Result>(kind: SnapshotKind, work: Work<Result>, signal?: AbortSignal): Promise<Result> {
    const state = this.#replicas.length === 0 ? undefined : await this.#readPrimaryState()
    return this.#run(state, this.#nextReplicas(), { kind, mode: MODES[kind], work, signal })
  }

  /** Uses a server that contains everything committed before the state. Without a state, uses any server. */
  #run<Result>(
    state: PrimaryState | undefined,
    replicas: Replica[],
    { kind, mode, work, signal }: ReadTransaction<Result>,
  ): Promise<Result> {
    let hasBegun = false
    const length = kind === 'short' ? 'short' : 'long'
    const options = kind === 'query' ? { ...this.#queryOptions, signal } : undefined
    const run = (replica: Replica | undefined) => {
      const pool = replica?.pool ?? this.#primary
      return pool.use(length, async (connection) => {
        if (state) await replica?.waitForReplay(connection, state.lsn)
        signal?.throwIfAborted()
        hasBegun = true
        const runWork = () => work(connection, replica !== undefined)
        return runTransaction(
          connection,
          mode,
          () => cancelOnAbort(pool, connection, signal, runWork),
          options,
        )
      })
    }
    const usableReplicas = replicas.filter(({ isLagging }) => !state || !isLagging)
    // A long snapshot can have sent part of a response, so it is not restarted.
    const canRetry = () => kind === 'short' || !hasBegun
    return tryServers([...usableReplicas, undefined], run, canRetry)
  }

  /** The reachable replicas, starting with the next one (round robin). */
  #nextReplicas(): Replica[] {
    this.#nextReplica += 1
    const firstIndex = this.#nextReplica % (this.#replicas.length || 1)
    return [...this.#replicas.slice(firstIndex), ...this.#replicas.slice(0, firstIndex)].filter(
      ({ pool }) => !pool.isUnreachable,
    )
  }
}

/** The reads of one request, in the state of the primary that was read for it or a later one. Caches single rows. */
class LatestReader extends Connection implements SnapshotReader {
  readonly sql = SQL_FRAGMENTS
  readonly #state: Promise<PrimaryState | undefined>
  readonly #run: <Result>(transaction: ReadTransaction<Result>) => Promise<Result>

  constructor(
    state: Promise<PrimaryState | undefined>,
    run: <Result>(transaction: ReadTransaction<Result>) => Promise<Result>,
  ) {
    super()
    this.#state = state
    this.#run = run
  }

  async read(read: Read): Promise<unknown> {
    let isFromReplica = false
    const work: Work<unknown> = (connection, isReplica) => {
      isFromReplica = isReplica
      return connection.read(read)
    }
    const readFromServer = () => this.#run({ kind: 'short', mode: STATEMENT_MODE, work })
    const rows = (await this.#state)?.rows
    if (!rows || read.returns !== 'row') return readFromServer()
    const key = read.statement + JSON.stringify(read.values)
    const cachedRow = rows.get(key)
    if (cachedRow !== undefined) return cachedRow
    const row = await readFromServer()
    // On the primary, a commit is part of its position shortly before other transactions see it. On a replica it is not.
    if (row !== undefined && isFromReplica) rows.set(key, Object.freeze(row))
    return row
  }

  snapshot<Result>(kind: SnapshotKind, work: Work<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#run({ kind, mode: MODES[kind], work, signal })
  }
}

/** The result of the first available server. If none is available, throws the error of the first. */
async function tryServers<Server, Result>(
  servers: Server[],
  run: (server: Server) => Promise<Result>,
  canRetry = () => true,
): Promise<Result> {
  const errors: unknown[] = []
  for (const server of servers) {
    for (const isRetry of [false, true]) {
      try {
        return await run(server)
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

/**
 * When the signal is aborted, cancels the running statement from another connection. Throws the reason of the signal. The
 * transaction ends after that: later, the same server process could run a statement of another transaction.
 */
async function cancelOnAbort<Result>(
  pool: PostgresPool,
  connection: PostgresConnection,
  signal: AbortSignal | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  if (!signal) return run()
  let cancellation: Promise<unknown> | undefined
  const end = Promise.withResolvers<'ended'>()
  const cancel = async () => {
    const pid = await connection.backendPid()
    // Repeated, because a statement that has been sent might not have started.
    do await pool.use('short', (other) => other.get('SELECT pg_cancel_backend(?)', pid))
    while ((await Promise.race([end.promise, delay(CANCEL_INTERVAL_MS)])) !== 'ended')
  }
  const onAbort = () => {
    // If it fails, the statement ends at its time limit.
    cancellation = cancel().catch(() => undefined)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await run()
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
    end.resolve('ended')
    await cancellation
  }
}

/** Does not wait for ROLLBACK; the next use of the connection is queued after it. */
async function runTransaction<Result>(
  connection: PostgresConnection,
  mode: string,
  work: (connection: PostgresConnection) => Promise<Result>,
  options?: TransactionOptions,
): Promise<Result> {
  connection.begin(mode, options)
  try {
    return await work(connection)
  } finally {
    connection.end('ROLLBACK').catch(() => connection.destroy())
  }
}
