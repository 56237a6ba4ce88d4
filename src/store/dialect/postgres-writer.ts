// Writing to a PostgreSQL primary: transactions side by side, kept apart by the names they lock.
import { hash } from 'node:crypto'
import type { Batch, Migration, Transaction, Value, Writer } from './dialect.ts'
import type { PostgresConnection } from './postgres-connection.ts'
import { commitUnknown } from './postgres-errors.ts'
import { notePassed } from './postgres-garbage.ts'
import type { PostgresPool } from './postgres-pool.ts'
import { insertStatements, numberedStatement, SQL } from './postgres-words.ts'
import { isUnavailable } from './unavailable.ts'

/** What is behind a lock must be seen once it is there, whatever the database is set to. */
const MODE = 'ISOLATION LEVEL READ COMMITTED READ WRITE'

/** The driver makes room for a message again and again while it is put together. */
const COPIES = 4

/** A process that is gone without a word holds its locks no longer than this. */
const IDLE_MS = 60_000

export class PostgresWriter implements Writer {
  readonly #pool: PostgresPool
  readonly #statementMs: number

  constructor(pool: PostgresPool, statementMs: number) {
    this.#pool = pool
    this.#statementMs = statementMs
  }

  transaction<Answer>(work: (transaction: Transaction) => Promise<Answer>): Promise<Answer> {
    return this.#transact(this.#statementMs, work)
  }

  /** Waits for the others, and for its own statements, however long they take. */
  migrate(work: (migration: Migration) => Promise<void>): Promise<void> {
    return this.#transact(0, async (transaction) => {
      await transaction.lock('migration')
      await work(transaction)
    })
  }

  async #transact<Answer>(
    statementMs: number,
    work: (transaction: PostgresTransaction) => Promise<Answer>,
  ): Promise<Answer> {
    const connection = await this.#pool.take('short')
    try {
      connection.begin(MODE, { statementMs, idleMs: IDLE_MS })
      const answer = await work(new PostgresTransaction(connection, statementMs))
      await commit(connection)
      return answer
    } catch (error) {
      await connection.end('ROLLBACK').catch(() => undefined)
      throw error
    } finally {
      this.#pool.giveBack(connection)
    }
  }
}

async function commit(connection: PostgresConnection): Promise<void> {
  try {
    await connection.end('COMMIT')
  } catch (error) {
    throw isUnavailable(error) ? commitUnknown(error) : error
  }
}

class PostgresTransaction implements Transaction, Migration {
  readonly sql = SQL
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

  join(statement: string, separator: string, ...values: number[]): Promise<Uint8Array> {
    return this.#connection.join(statement, separator, ...values)
  }

  numbers(statement: string, ...values: Value[]): Promise<Float64Array> {
    return this.#connection.numbers(statement, ...values)
  }

  async run(statement: string, ...values: Value[]): Promise<number> {
    return (await this.#query(numberedStatement(statement), values)).rowCount ?? 0
  }

  /** All of them go out at once. */
  async runMany(...batches: Batch[]): Promise<number> {
    const asked = batches.flatMap(([statement, rows]) =>
      [...insertStatements(statement, rows)].map(({ text, values }) => this.#query(text, values)),
    )
    const results = await Promise.all(asked)
    notePassed(COPIES * sizeOf(batches))
    return results.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0)
  }

  /** Locks of PostgreSQL have numbers for names; two names with one number merely wait for each other. */
  async lock(...name: (string | number)[]): Promise<void> {
    const number = hash('sha256', JSON.stringify(name), 'buffer').readBigInt64BE()
    await this.#query('SELECT pg_advisory_xact_lock($1)', [String(number)])
  }

  async script(statements: string): Promise<void> {
    await this.#query(statements)
  }

  #query(text: string, values?: Value[]) {
    return this.#connection.query(text, values, this.#statementMs)
  }
}

/** Of what is large: texts and hashes come as bytes. */
function sizeOf(batches: Batch[]): number {
  let size = 0
  for (const [, rows] of batches) {
    for (const row of rows) for (const value of row) if (value instanceof Uint8Array) size += value.length
  }
  return size
}
