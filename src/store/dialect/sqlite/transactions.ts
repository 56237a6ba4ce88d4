// Runs transactions on a SQLite file, one after the other. A service has one worker thread for all writes, so that locks, inserts,
// fsync and checkpoints never block reads, and others for slow queries (query-threads.ts).
import { Semaphore } from '../../../semaphore.ts'
import { type Batch, type EngineWriter, type Read, type Statement, Transaction } from '../dialect.ts'
import { getDamage, unavailableError } from '../errors.ts'
import type { SessionOptions } from './session.ts'
import { SQL_FRAGMENTS } from './sql.ts'
import { LocalSession, type SessionRunner, SqliteThread } from './thread.ts'

/** After this time, the thread of a canceled transaction is terminated: a new thread costs more than a short wait. */
const TERMINATE_DELAY_MS = 100

type Work<Result> = (transaction: Transaction) => Promise<Result>
type LastStatements = (transaction: Transaction) => Statement[]

export class SqliteTransactions implements EngineWriter {
  readonly #options: SessionOptions & { isLocal?: boolean }
  #session: Promise<SessionRunner> | undefined
  #lastNumber = 0
  readonly #turns = new Semaphore(1)

  /** `isLocal`: in this thread instead of a worker thread. */
  constructor(options: SessionOptions & { isLocal?: boolean }) {
    this.#options = options
  }

  /** Starts the session if it is not running. Throws CommandError if the file cannot be opened. */
  async start(): Promise<SessionRunner> {
    const sessionPromise = this.#session
    const session = await sessionPromise?.catch(() => undefined)
    // Another call might have replaced the session during the await.
    if ((!session || session.hasExited) && this.#session === sessionPromise) this.#session = undefined
    this.#session ??= this.#startSession()
    return this.#session
  }

  async #startSession(): Promise<SessionRunner> {
    return this.#options.isLocal ? new LocalSession(this.#options) : SqliteThread.start(this.#options)
  }

  get isStarted(): boolean {
    return this.#session !== undefined
  }

  /** When the signal is aborted, the running statement is canceled. For writes only in the calling thread: they have not begun then. */
  async transaction<Result>(
    work: Work<Result>,
    lastStatements: LastStatements = () => [],
    signal?: AbortSignal,
  ): Promise<Result> {
    return this.inTurn(async () => {
      const session = await this.start().catch((error) => {
        const isPermanent = this.#options.isLocal || getDamage(error) !== undefined
        throw isPermanent ? error : unavailableError(error)
      })
      return this.#transact(session, work, lastStatements, signal)
    })
  }

  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(work)
  }

  /** Waits for its turn like a transaction, until all earlier ones are done. */
  async close(): Promise<void> {
    await this.#turns.acquire()
    const session = await this.#session?.catch(() => undefined)
    await session?.close()
  }

  /** If the signal is aborted, throws its reason, but only after the running statement has ended. */
  async #transact<Result>(
    session: SessionRunner,
    work: Work<Result>,
    lastStatements: LastStatements,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const { isReadOnly } = this.#options
    this.#lastNumber += 1
    const number = this.#lastNumber
    const transaction = new SqliteTransaction(session, number, signal)
    let timer: NodeJS.Timeout | undefined
    const onAbort = () => {
      timer = setTimeout(() => session.terminate(), TERMINATE_DELAY_MS)
    }
    signal?.throwIfAborted()
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      await session.send({ operation: 'begin', transaction: number })
      const result = await work(transaction)
      const statements = isReadOnly ? [] : lastStatements(transaction)
      if (!isReadOnly) await session.send({ operation: 'commit', transaction: number, statements })
      return result
    } catch (error) {
      signal?.throwIfAborted()
      // A query can be retried: the next one starts a new thread. A write could have been committed.
      throw isReadOnly && session.hasExited ? unavailableError(error) : error
    } finally {
      signal?.removeEventListener('abort', onAbort)
      clearTimeout(timer)
      // The reply is not awaited: later requests are handled after this one.
      session.send({ operation: 'end' }).catch(() => undefined)
    }
  }
}

class SqliteTransaction extends Transaction {
  readonly sql = SQL_FRAGMENTS
  readonly #session: SessionRunner
  readonly #number: number
  readonly #signal: AbortSignal | undefined

  constructor(session: SessionRunner, number: number, signal: AbortSignal | undefined) {
    super()
    this.#session = session
    this.#number = number
    this.#signal = signal
  }

  async read(read: Read): Promise<unknown> {
    this.#signal?.throwIfAborted()
    return this.#session.send({ operation: 'read', transaction: this.#number, read })
  }

  /** Does nothing, because SQLite has only one write transaction at a time. */
  async lock(): Promise<void> {}

  /** Sends one message for all batches, so that values they share are cloned once. */
  runMany(...batches: Batch[]): Promise<number> {
    return this.#session.send({ operation: 'run', transaction: this.#number, batches }) as Promise<number>
  }

  async script(statements: string): Promise<void> {
    await this.#session.send({ operation: 'script', transaction: this.#number, statements })
  }
}
