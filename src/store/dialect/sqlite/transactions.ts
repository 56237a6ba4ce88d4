// Runs transactions on a worker thread, one after the other. One thread does all writes, so that locks, inserts, fsync and
// checkpoints never block reads. Others run slow queries (query-threads.ts).
import { BaseConnection } from '../base-connection.ts'
import type {
  Batch,
  Change,
  Connection,
  EngineWriter,
  Migration,
  Read,
  Statement,
  TransactionSession,
  Value,
} from '../dialect.ts'
import { getDamage, unavailableError } from '../errors.ts'
import { SQL_FRAGMENTS } from './sql.ts'
import { SqliteThread } from './thread.ts'
import type { SessionReply, WorkerOptions, WorkerRequest } from './worker.ts'

/** After this time, the thread of a canceled transaction is terminated: a new thread costs more than a short wait. */
const TERMINATE_DELAY_MS = 100

type Work<Result> = (transaction: SqliteTransaction) => Promise<Result>

export class SqliteTransactions implements EngineWriter {
  readonly #options: WorkerOptions
  #thread: Promise<SqliteThread> | undefined
  #lastNumber = 0
  #isOpen = false
  /** In order of arrival. */
  readonly #waiters: (() => void)[] = []

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
    await this.#waitForTurn()
    try {
      const thread = await this.start().catch((error) => {
        throw getDamage(error) === undefined ? unavailableError(error) : error
      })
      return await cancelOnAbort(thread, signal, () => this.#transact(thread, work, lastStatements))
    } finally {
      const startNext = this.#waiters.shift()
      if (startNext) startNext()
      else this.#isOpen = false
    }
  }

  /** Waits for its turn like a transaction, until all earlier ones are done. */
  async close(): Promise<void> {
    await this.#waitForTurn()
    const thread = await this.#thread?.catch(() => undefined)
    await thread?.close()
  }

  async #waitForTurn(): Promise<void> {
    if (this.#isOpen) await new Promise<void>((resolve) => this.#waiters.push(resolve))
    this.#isOpen = true
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
  #lastSession = 0

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

  async openSession(
    module: URL,
    options: unknown,
    recordChange: (change: Change) => void,
  ): Promise<TransactionSession> {
    this.#lastSession += 1
    const session = this.#lastSession
    const send = async (request: WorkerRequest, transferred: ArrayBuffer[] = []) => {
      const { value, changes } = (await this.#thread.send(request, transferred)) as SessionReply
      for (const change of changes) recordChange(change)
      return value
    }
    await send({ operation: 'open', transaction: this.#number, session, module: module.href, options })
    return {
      call: (method, bytes) =>
        send({ operation: 'call', session, method, bytes }, bytes ? [bytes.buffer] : []),
    }
  }

  async script(statement: string): Promise<void> {
    await this.#thread.send({ operation: 'script', transaction: this.#number, statement })
  }
}
