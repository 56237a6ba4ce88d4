// Write transactions on a PostgreSQL primary. They run concurrently and use advisory locks to exclude each other.
import type { Migration, Transaction, Writer } from '../dialect.ts'
import { isUnavailable } from '../errors.ts'
import type { PostgresConnection } from './connection.ts'
import { commitOutcomeUnknownError } from './errors.ts'
import type { PostgresPool } from './pool.ts'

/** A transaction must see what others committed before it got a lock, whatever the database's default level is. */
const TRANSACTION_MODE = 'ISOLATION LEVEL READ COMMITTED READ WRITE'

/** The server ends an idle transaction after this time, which releases the locks of an unreachable process. */
const IDLE_TRANSACTION_MS = 60_000

export class PostgresWriter implements Writer {
  readonly #pool: PostgresPool
  readonly #statementMs: number

  constructor(pool: PostgresPool, statementMs: number) {
    this.#pool = pool
    this.#statementMs = statementMs
  }

  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#runTransaction(this.#statementMs, work)
  }

  /** Waits for other migrations, without a statement timeout. */
  migrate(work: (migration: Migration) => Promise<void>): Promise<void> {
    return this.#runTransaction(0, async (transaction) => {
      await transaction.lock('migration')
      await work(transaction)
    })
  }

  #runTransaction<Result>(
    statementMs: number,
    work: (transaction: Migration) => Promise<Result>,
  ): Promise<Result> {
    return this.#pool.use('short', async (connection) => {
      connection.begin(TRANSACTION_MODE, statementMs, IDLE_TRANSACTION_MS)
      try {
        const result = await work(connection)
        await commit(connection)
        return result
      } catch (error) {
        await connection.end('ROLLBACK').catch(() => undefined)
        throw error
      }
    })
  }
}

async function commit(connection: PostgresConnection): Promise<void> {
  try {
    await connection.end('COMMIT')
  } catch (error) {
    throw isUnavailable(error) ? commitOutcomeUnknownError(error) : error
  }
}
