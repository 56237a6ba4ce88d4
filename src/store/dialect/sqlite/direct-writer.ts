// Runs write transactions in this thread, where statements need no messages: for commands, and for the thread that stores
// large uploads. The event loop is blocked while a statement runs, so a service does its other writes in a thread.
import { Semaphore } from '../../../semaphore.ts'
import { BaseConnection } from '../base-connection.ts'
import type { Batch, Connection, EngineWriter, Migration, Read, Statement, Value } from '../dialect.ts'
import { SqliteConnections } from './connections.ts'
import { translateErrors } from './errors.ts'
import { SQL_FRAGMENTS } from './sql.ts'
import type { SqliteStatements } from './statements.ts'

export class DirectWriter implements EngineWriter {
  readonly #path: string
  readonly #connections: SqliteConnections
  readonly #turns = new Semaphore(1)
  #isStarted = false

  constructor(path: string) {
    this.#path = path
    this.#connections = new SqliteConnections(path, { isReadOnly: false, maxIdle: 1 })
  }

  get isStarted(): boolean {
    return this.#isStarted
  }

  /** Opens a connection. Throws CommandError if the file cannot be opened. */
  async start(): Promise<void> {
    this.#isStarted = true
    translateErrors(this.#path, () => this.#connections.release(this.#connections.open()))
  }

  async transaction<Result>(
    work: (transaction: DirectTransaction) => Promise<Result>,
    lastStatements: (connection: Connection) => Statement[] = () => [],
  ): Promise<Result> {
    this.#isStarted = true
    return this.inTurn(async () => {
      const statements = translateErrors(this.#path, () => this.#connections.acquire())
      const transaction = new DirectTransaction(this.#path, statements)
      try {
        await transaction.script('BEGIN IMMEDIATE')
        const result = await work(transaction)
        for (const [statement, ...values] of lastStatements(transaction))
          await transaction.run(statement, ...values)
        await transaction.script('COMMIT')
        return result
      } finally {
        this.#connections.release(statements)
      }
    })
  }

  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(work)
  }

  async close(): Promise<void> {
    await this.#turns.acquire()
    this.#connections.close()
  }
}

class DirectTransaction extends BaseConnection implements Migration {
  readonly sql = SQL_FRAGMENTS
  readonly #path: string
  readonly #statements: SqliteStatements

  constructor(path: string, statements: SqliteStatements) {
    super()
    this.#path = path
    this.#statements = statements
  }

  async read(read: Read): Promise<unknown> {
    return translateErrors(this.#path, () => this.#open().read(read))
  }

  run(statement: string, ...values: Value[]): Promise<number> {
    return this.runMany([statement, [values]])
  }

  async runMany(...batches: Batch[]): Promise<number> {
    return translateErrors(this.#path, () => {
      const statements = this.#open()
      return batches.reduce((changes, [statement, rows]) => changes + statements.run(statement, rows), 0)
    })
  }

  async script(statements: string): Promise<void> {
    translateErrors(this.#path, () => this.#statements.database.exec(statements))
  }

  /** Does nothing, because SQLite has only one write transaction at a time. */
  async lock(): Promise<void> {}

  /** Some failures, for example a full disk, make SQLite roll back. Later statements must not run outside the transaction. */
  #open(): SqliteStatements {
    if (!this.#statements.database.isTransaction) throw new Error('SQLite has rolled back the transaction')
    return this.#statements
  }
}
