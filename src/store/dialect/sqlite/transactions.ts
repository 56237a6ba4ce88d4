// Runs transactions on a worker thread, a limited number at a time. One thread does all writes, so that locks, inserts,
// fsync and checkpoints never block reads. Another one runs slow queries.
import { BaseConnection } from '../base-connection.ts'
import type { Batch, Connection, EngineWriter, Migration, Read, Statement, Value } from '../dialect.ts'
import { getDamage, unavailableError } from '../errors.ts'
import { SQL_FRAGMENTS } from './sql.ts'
import { SqliteThread } from './thread.ts'
import type { WorkerOptions } from './worker.ts'

type Work<Result> = (transaction: SqliteTransaction) => Promise<Result>

export class SqliteTransactions implements EngineWriter {
  readonly #options: WorkerOptions
  readonly #maxOpen: number
  #thread: Promise<SqliteThread> | undefined
  #lastNumber = 0
  #openCount = 0
  /** In order of arrival. */
  readonly #waiters: (() => void)[] = []

  constructor(options: WorkerOptions, maxOpen: number) {
    this.#options = options
    this.#maxOpen = maxOpen
  }

  /** Starts the thread if it is not running. Throws CommandError if the file cannot be opened. */
  async start(): Promise<SqliteThread> {
    const threadPromise = this.#thread
    const thread = await threadPromise?.catch(() => undefined)
    // Another call might have replaced the thread during the await.
    if ((!thread || thread.hasExited) && this.#thread === threadPromise) this.#thread = undefined
    this.#thread ??= SqliteThread.start(this.#options)
    return this.#thread
  }

  async transaction<Result>(
    work: Work<Result>,
    lastStatements: (connection: Connection) => Statement[] = () => [],
  ): Promise<Result> {
    await this.#acquireSlot()
    try {
      const thread = await this.start().catch((error) => {
        throw getDamage(error) === undefined ? unavailableError(error) : error
      })
      return await this.#transact(thread, work, lastStatements)
    } finally {
      // The next waiter takes over this slot, so the count does not change.
      const startNext = this.#waiters.shift()
      if (startNext) startNext()
      else this.#openCount -= 1
    }
  }

  /** Waits for its turn like a transaction: with one slot, until all earlier transactions are done. */
  async close(): Promise<void> {
    await this.#acquireSlot()
    const thread = await this.#thread?.catch(() => undefined)
    await thread?.close()
  }

  async #acquireSlot(): Promise<void> {
    if (this.#openCount < this.#maxOpen) this.#openCount += 1
    else await new Promise<void>((resolve) => this.#waiters.push(resolve))
  }

  async #transact<Result>(
    thread: SqliteThread,
    work: Work<Result>,
    lastStatements: (connection: Connection) => Statement[],
  ): Promise<Result> {
    const { isReadOnly } = this.#options
    this.#lastNumber += 1
    const number = this.#lastNumber
    const transaction = new SqliteTransaction(thread, number)
    try {
      const statement = isReadOnly ? 'BEGIN' : 'BEGIN IMMEDIATE'
      await thread.send({ operation: 'begin', transaction: number, statement })
      const result = await work(transaction)
      if (!isReadOnly)
        await thread.send({
          operation: 'commit',
          transaction: number,
          statements: lastStatements(transaction),
        })
      return result
    } catch (error) {
      // A query can be retried: the next one starts a new thread. A write could have been committed.
      throw isReadOnly && thread.hasExited ? unavailableError(error) : error
    } finally {
      // The reply is not awaited: the thread handles later requests after this one.
      thread.send({ operation: 'end', transaction: number }).catch(() => undefined)
    }
  }
}

class SqliteTransaction extends BaseConnection implements Migration {
  readonly sql = SQL_FRAGMENTS
  readonly #thread: SqliteThread
  readonly #number: number

  constructor(thread: SqliteThread, number: number) {
    super()
    this.#thread = thread
    this.#number = number
  }

  read(read: Read): Promise<unknown> {
    return this.#thread.send({ operation: 'read', transaction: this.#number, read })
  }

  /** Does nothing, because SQLite has only one write transaction at a time. */
  async lock(): Promise<void> {}

  run(statement: string, ...values: Value[]): Promise<number> {
    return this.runMany([statement, [values]])
  }

  /** Sends one message for all batches, so that values they share are cloned once. */
  runMany(...batches: Batch[]): Promise<number> {
    return this.#thread.send({ operation: 'run', transaction: this.#number, batches }) as Promise<number>
  }

  async script(statement: string): Promise<void> {
    await this.#thread.send({ operation: 'script', transaction: this.#number, statement })
  }
}
