// Reading from a PostgreSQL primary and the replicas that follow it, always in transactions that cannot write.
// What is small is asked of the primary. Snapshots are opened on a replica once it has everything that was
// committed when they were asked for, so that whoever has written reads what was written; the primary helps out
// where no replica can, and the replicas where the primary is gone.
import { setTimeout as delay } from 'node:timers/promises'
import type { Connection, Reader, SnapshotKind, Value } from './dialect.ts'
import type { PostgresConnection } from './postgres-connection.ts'
import { NoneFree, type PostgresPool, use, WasStale } from './postgres-pool.ts'
import { SQL } from './postgres-words.ts'
import { isUnavailable, unavailable } from './unavailable.ts'

const ONE_STATEMENT = 'READ ONLY'
/**
 * Where the planner knows too little of a table, or takes one evaluation for another, it would collect and sort again
 * for each piece of a long answer what an index gives in order.
 */
const ONE_STATE =
  'ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_seqscan = off'
/**
 * A table that was just filled looks small to the planner, and it would go through one for each row of another; whole
 * evaluations are better hashed, in memory.
 */
const ONE_QUERY = `ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_nestloop = off;
  SET LOCAL work_mem = '64MB'; SET LOCAL jit = off`

/** How long a replica that is behind is given, again and again, to catch up. */
const CATCH_UP_MS = [2, 5, 10, 20, 40]

type Work<Answer> = (connection: PostgresConnection) => Promise<Answer>

export class PostgresReader implements Reader {
  readonly sql = SQL
  readonly #primary: PostgresPool
  readonly #replicas: PostgresPool[]
  #turn = 0

  constructor(primary: PostgresPool, replicas: PostgresPool[]) {
    this.#primary = primary
    this.#replicas = replicas
  }

  moment(): Connection {
    return this
  }

  get<Row>(statement: string, ...values: Value[]): Promise<Row | undefined> {
    return this.#ask((connection) => connection.get<Row>(statement, ...values))
  }

  all<Row>(statement: string, ...values: Value[]): Promise<Row[]> {
    return this.#ask((connection) => connection.all<Row>(statement, ...values))
  }

  join(statement: string, separator: string, ...values: number[]): Promise<Uint8Array> {
    return this.#ask((connection) => connection.join(statement, separator, ...values))
  }

  numbers(statement: string, ...values: Value[]): Promise<Float64Array> {
    return this.#ask((connection) => connection.numbers(statement, ...values))
  }

  async snapshot<Answer>(
    kind: SnapshotKind,
    work: (snapshot: Connection) => Promise<Answer>,
  ): Promise<Answer> {
    const committed = this.#replicas.length === 0 ? undefined : await this.#committed()
    let hasBegun = false
    const open = (pool: PostgresPool) =>
      use(pool, kind === 'short' ? 'short' : 'long', async (connection) => {
        if (pool !== this.#primary && committed !== undefined) await catchUp(connection, committed)
        hasBegun = true
        return transact(connection, kind === 'query' ? ONE_QUERY : ONE_STATE, work)
      })
    // What has been sent cannot be taken back: a long one is not begun again.
    const mayGoOn = () => kind === 'short' || !hasBegun
    return firstOf([...this.#nextReplicas(), this.#primary], open, mayGoOn)
  }

  /** One statement. */
  #ask<Answer>(work: Work<Answer>): Promise<Answer> {
    const ask = (pool: PostgresPool) =>
      use(pool, 'short', (connection) => transact(connection, ONE_STATEMENT, work), this.#insists)
    return firstOf([this.#primary, ...this.#nextReplicas()], ask)
  }

  /** A replica answers as it is only where the primary is really gone: another instance may have found it again. */
  get #insists(): boolean {
    return this.#replicas.length > 0
  }

  /** How far the primary has written, as its log counts; undefined while it is gone. */
  async #committed(): Promise<string | undefined> {
    const place = (connection: PostgresConnection) =>
      connection.get<{ place: string | null }>(
        // A server that follows another has none: it is not where anything is written.
        'SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_current_wal_flush_lsn()::text END AS place',
      )
    try {
      const ask = (pool: PostgresPool) => use(pool, 'short', place, this.#insists)
      return (await firstOf([this.#primary], ask))?.place ?? undefined
    } catch (error) {
      if (isUnavailable(error) && !((error as Error).cause instanceof NoneFree)) return undefined
      throw error
    }
  }

  /** Each in turn is the first; those that are away are passed over. */
  #nextReplicas(): PostgresPool[] {
    this.#turn += 1
    const first = this.#turn % (this.#replicas.length || 1)
    return [...this.#replicas.slice(first), ...this.#replicas.slice(0, first)].filter(({ isAway }) => !isAway)
  }
}

/** The answer of the first server that can give one; the failure of the first where none can. */
async function firstOf<Answer>(
  pools: PostgresPool[],
  ask: (pool: PostgresPool) => Promise<Answer>,
  mayGoOn = () => true,
): Promise<Answer> {
  const failures: unknown[] = []
  for (const pool of pools) {
    for (const isSecond of [false, true]) {
      try {
        return await ask(pool)
      } catch (error) {
        if (!isUnavailable(error) || !mayGoOn()) throw error
        failures.push(error)
        // What fails in any other way would do so again.
        if (isSecond || !((error as Error).cause instanceof WasStale)) break
      }
    }
  }
  throw failures[0]
}

/** The answer does not wait for the end; whoever uses the connection next comes behind it. */
async function transact<Answer>(
  connection: PostgresConnection,
  mode: string,
  work: Work<Answer>,
): Promise<Answer> {
  connection.begin(mode)
  try {
    return await work(connection)
  } finally {
    connection.end('ROLLBACK').catch(() => connection.destroy())
  }
}

/** Throws unavailable where the replica stays behind. Asked outside of the snapshot, which may be older. */
async function catchUp(connection: PostgresConnection, committed: string): Promise<void> {
  for (const wait of [...CATCH_UP_MS, 0]) {
    const row = await connection.get<{ isThere: boolean | null }>(
      'SELECT pg_last_wal_replay_lsn() >= ?::pg_lsn AS "isThere"',
      committed,
    )
    if (row?.isThere) return
    // A server that follows nobody, not any more at least, will not catch up.
    if (row?.isThere === null) break
    await delay(wait)
  }
  throw unavailable(new Error('The replica is behind'))
}
