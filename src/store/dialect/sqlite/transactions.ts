// Runs transactions on a worker thread, one after the other. One thread does all writes, so that locks, inserts, fsync and
// checkpoints never block reads. Others run slow queries (query-threads.ts).
import { Semaphore } from '../../../semaphore.ts'
import { BaseConnection } from '../base-connection.ts'
import type { Batch, Connection, EngineWriter, Migration, Read, Statement, Value } from '../dialect.ts'
import { getDamage, unavailableError } from '../errors.ts'
import { SQL_FRAGMENTS } from './sql.ts'
import { SqliteThread } from './thread.ts'
import type { WorkerOptions } from './worker.ts'

/** After this time, the thread of a canceled transaction is terminated: a new thread costs more than a short wait. */
const TERMINATE_DELAY_MS = 100

type Work<Result> = (transaction: SqliteTransaction) => Promise<Result>

export class SqliteTransactions implements EngineWriter {
  readonly #options: WorkerOptions
  #thread: Promise<SqliteThread> | undefined
  #lastNumber = 0
  readonly #turns = new Semaphore(1)

  constructor(options: WorkerOptions) {
    this.#options = options
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

  get isStarted(): boolean {
    return this.#thread !== undefined
  }

  /** When the signal is aborted, the running statement is canceled. Only for transactions that read. */
  async transaction<Result>(
    work: Work<Result>,
    lastStatements: (connection: Connection) => Statement[] = () => [],
    signal?: AbortSignal,
  ): Promise<Result> {
    return this.inTurn(async () => {
      const thread = await this.start().catch((error) => {
        throw getDamage(error) === undefined ? unavailableError(error) : error
      })
      return cancelOnAbort(thread, signal, () => this.#transact(thread, work, lastStatements))
    })
  }

  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(work)
  }

  /** Waits for its turn like a transaction, until all earlier ones are done. */
  async close(): Promise<void> {
    await this.#turns.acquire()
    const thread = await this.#thread?.catch(() => undefined)
    await thread?.close()
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

/** Throws the reason of the signal if it is aborted. Resolves or throws only after the statement has ended. */
async function cancelOnAbort<Result>(
  thread: SqliteThread,
  signal: AbortSignal | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  if (!signal) return run()
  signal.throwIfAborted()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(() => thread.terminate(), TERMINATE_DELAY_MS)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await run()
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
    clearTimeout(timer)
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
