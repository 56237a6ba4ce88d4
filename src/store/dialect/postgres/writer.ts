// Write transactions on a PostgreSQL primary. They run concurrently and use advisory locks to exclude each other.
import type { Connection, EngineTransaction, EngineWriter, Migration, Statement } from '../dialect.ts'
import { isUnavailable } from '../errors.ts'
import type { PostgresConnection } from './connection.ts'
import { commitOutcomeUnknownError } from './errors.ts'
import type { PostgresPool } from './pool.ts'

/** A transaction must see what others committed before it got a lock, whatever the database's default level is. */
const TRANSACTION_MODE = 'ISOLATION LEVEL READ COMMITTED READ WRITE'

/** The server ends an idle transaction after this time, which releases the locks of an unreachable process. */
const IDLE_TRANSACTION_MS = 60_000

export class PostgresWriter implements EngineWriter {
  readonly #pool: PostgresPool
  readonly #statementMs: number

  constructor(pool: PostgresPool, statementMs: number) {
    this.#pool = pool
    this.#statementMs = statementMs
  }

  transaction<Result>(
    work: (transaction: EngineTransaction) => Promise<Result>,
    lastStatements?: (connection: Connection) => Statement[],
  ): Promise<Result> {
    return this.#runTransaction(this.#statementMs, work, lastStatements)
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
    lastStatements: (connection: Connection) => Statement[] = () => [],
  ): Promise<Result> {
    return this.#pool.use('short', async (connection) => {
      connection.begin(TRANSACTION_MODE, statementMs, IDLE_TRANSACTION_MS)
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

/** Sends the statements and COMMIT without waiting in between. If a statement fails, COMMIT rolls back. */
async function commit(connection: PostgresConnection, statements: Statement[]): Promise<void> {
  const running = statements.map(([statement, ...values]) => connection.run(statement, ...values))
  const outcomes = await Promise.allSettled([...running, connection.end('COMMIT')])
  const commitOutcome = outcomes.at(-1)
  if (commitOutcome?.status !== 'rejected') return
  if (isUnavailable(commitOutcome.reason)) throw commitOutcomeUnknownError(commitOutcome.reason)
  throw outcomes.find((outcome) => outcome.status === 'rejected')?.reason
}
