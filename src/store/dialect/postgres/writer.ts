// Write transactions on a PostgreSQL primary. They run concurrently and use advisory locks to exclude each other.
import { setTimeout as delay } from 'node:timers/promises'
import type { EngineWriter, Statement, Transaction } from '../dialect.ts'
import { isUnavailable } from '../errors.ts'
import type { PostgresConnection } from './connection.ts'
import { commitOutcomeUnknownError, isLockTimeout } from './errors.ts'
import type { PostgresPool } from './pool.ts'

/** A transaction must see what others committed before it got a lock, whatever the database's default level is. */
const TRANSACTION_MODE = 'ISOLATION LEVEL READ COMMITTED READ WRITE'

/** The server ends an idle transaction after this time, which releases the locks of an unreachable process. */
const IDLE_TRANSACTION_MS = 60_000

/**
 * How long a migration waits for a table lock, and how long until the next attempt. Reads of other instances wait for a
 * migration that waits for a long read.
 */
const [MIGRATION_LOCK_MS, MIGRATION_RETRY_MS] = [500, 1000]

export class PostgresWriter implements EngineWriter {
  readonly #pool: PostgresPool
  readonly #statementMs: number

  constructor(pool: PostgresPool, statementMs: number) {
    this.#pool = pool
    this.#statementMs = statementMs
  }

  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    lastStatements?: (transaction: Transaction) => Statement[],
  ): Promise<Result> {
    return this.#runTransaction(this.#statementMs, work, lastStatements)
  }

  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return work()
  }

  /** Waits for other migrations, without a statement timeout. It is repeated until it gets all table locks. */
  async migrate(work: (migration: Transaction) => Promise<void>): Promise<void> {
    for (; ; await delay(MIGRATION_RETRY_MS)) {
      try {
        return await this.#runTransaction(0, async (transaction) => {
          await transaction.lock('migration')
          await transaction.script(`SET LOCAL lock_timeout = ${MIGRATION_LOCK_MS}`)
          await work(transaction)
        })
      } catch (error) {
        if (!isLockTimeout(error)) throw error
      }
    }
  }

  #runTransaction<Result>(
    statementMs: number,
    work: (transaction: Transaction) => Promise<Result>,
    lastStatements: (transaction: Transaction) => Statement[] = () => [],
  ): Promise<Result> {
    return this.#pool.use('short', async (connection) => {
      connection.begin(TRANSACTION_MODE, { statementMs, idleMs: IDLE_TRANSACTION_MS })
      try {
        const result = await work(connection)
        await commit(connection, lastStatements(connection))
        return result
      } catch (error) {
        await connection.end('ROLLBACK').catch(() => undefined)
        throw error
      }
    })
  }
}

async function commit(connection: PostgresConnection, lastStatements: Statement[]): Promise<void> {
  try {
    await connection.end('COMMIT', lastStatements)
  } catch (error) {
    throw isUnavailable(error) && connection.isLost ? commitOutcomeUnknownError(error) : error
  }
}
