// Write transactions on a PostgreSQL primary. They run concurrently and use advisory locks to exclude each other.
import { hash } from 'node:crypto'
import type { Batch, Migration, Transaction, Value, Writer } from '../dialect.ts'
import { isUnavailable } from '../errors.ts'
import type { PostgresConnection } from './connection.ts'
import { commitOutcomeUnknownError } from './errors.ts'
import { trackDriverBytes } from './garbage-collection.ts'
import type { PostgresPool } from './pool.ts'
import { insertStatements, numberedStatement, SQL_FRAGMENTS } from './sql.ts'

/** A transaction must see what others committed before it got a lock, whatever the database's default level is. */
const TRANSACTION_MODE = 'ISOLATION LEVEL READ COMMITTED READ WRITE'

/** The driver reallocates its buffer several times while it builds a message. */
const BUFFER_COPIES = 4

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

  async #runTransaction<Result>(
    statementMs: number,
    work: (transaction: PostgresTransaction) => Promise<Result>,
  ): Promise<Result> {
    const connection = await this.#pool.acquire('short')
    try {
      connection.begin(TRANSACTION_MODE, { statementMs, idleMs: IDLE_TRANSACTION_MS })
      const result = await work(new PostgresTransaction(connection, statementMs))
      await commit(connection)
      return result
    } catch (error) {
      await connection.end('ROLLBACK').catch(() => undefined)
      throw error
    } finally {
      this.#pool.release(connection)
    }
  }
}

async function commit(connection: PostgresConnection): Promise<void> {
  try {
    await connection.end('COMMIT')
  } catch (error) {
    throw isUnavailable(error) ? commitOutcomeUnknownError(error) : error
  }
}

class PostgresTransaction implements Transaction, Migration {
  readonly sql = SQL_FRAGMENTS
  readonly #connection: PostgresConnection
  readonly #statementMs: number

  constructor(connection: PostgresConnection, statementMs: number) {
    this.#connection = connection
    this.#statementMs = statementMs
  }

  async get<Row>(statement: string, ...values: Value[]): Promise<Row | undefined> {
    return (await this.all<Row>(statement, ...values))[0]
  }

  async all<Row>(statement: string, ...values: Value[]): Promise<Row[]> {
    return (await this.#query(numberedStatement(statement), values)).rows as Row[]
  }

  joinElements(statement: string, separator: string, ...values: number[]): Promise<Uint8Array> {
    return this.#connection.joinElements(statement, separator, ...values)
  }

  readNumbers(statement: string, ...values: Value[]): Promise<Float64Array> {
    return this.#connection.readNumbers(statement, ...values)
  }

  async run(statement: string, ...values: Value[]): Promise<number> {
    return (await this.#query(numberedStatement(statement), values)).rowCount ?? 0
  }

  /** Sends all statements without waiting in between. */
  async runMany(...batches: Batch[]): Promise<number> {
    const queries = batches.flatMap(([statement, rows]) =>
      [...insertStatements(statement, rows)].map(({ text, values }) => this.#query(text, values)),
    )
    const results = await Promise.all(queries)
    trackDriverBytes(BUFFER_COPIES * countBytes(batches))
    return results.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0)
  }

  /** Advisory locks are numbers, so the name is hashed. A collision only makes two transactions wait for each other. */
  async lock(...name: (string | number)[]): Promise<void> {
    const lockNumber = hash('sha256', JSON.stringify(name), 'buffer').readBigInt64BE()
    await this.#query('SELECT pg_advisory_xact_lock($1)', [String(lockNumber)])
  }

  async script(statements: string): Promise<void> {
    await this.#query(statements)
  }

  #query(text: string, values?: Value[]) {
    return this.#connection.query(text, values, this.#statementMs)
  }
}

/** Counts byte arrays only, because large texts are passed as bytes. */
function countBytes(batches: Batch[]): number {
  let size = 0
  for (const [, rows] of batches) {
    for (const row of rows) for (const value of row) if (value instanceof Uint8Array) size += value.length
  }
  return size
}
