// Runs snapshots of kind `query` on a worker thread, so that slow queries do not block the main thread. The thread
// starts on first use.
import type { Connection, Value } from '../dialect.ts'
import { unavailable } from '../errors.ts'
import type { QueryRequest } from './query-thread.ts'
import { joinStatement, SQL } from './sql.ts'
import { SqliteThread } from './thread.ts'

const SCRIPT = new URL('./query-thread.ts', import.meta.url)

type Thread = SqliteThread<QueryRequest>

/** All statements run on one thread, so more open snapshots would only use memory. */
const MAX_OPEN_SNAPSHOTS = 4

export class SqliteQueryClient {
  readonly #path: string
  #thread: Promise<Thread> | undefined
  #lastSnapshotId = 0
  #openSnapshots = 0
  readonly #waiters: (() => void)[] = []

  constructor(path: string) {
    this.#path = path
  }

  async snapshot<Result>(work: (snapshot: Connection) => Promise<Result>): Promise<Result> {
    if (this.#openSnapshots >= MAX_OPEN_SNAPSHOTS)
      await new Promise<void>((resolve) => this.#waiters.push(resolve))
    else this.#openSnapshots += 1
    try {
      return await this.#runSnapshot(work)
    } finally {
      // The next waiter takes over this slot, so the count does not change.
      const next = this.#waiters.shift()
      if (next) next()
      else this.#openSnapshots -= 1
    }
  }

  async #runSnapshot<Result>(work: (snapshot: Connection) => Promise<Result>): Promise<Result> {
    const thread = await this.#runningThread()
    this.#lastSnapshotId += 1
    const snapshot = this.#lastSnapshotId
    try {
      await thread.send({ operation: 'begin', snapshot })
      return await work(new QueryConnection(thread, snapshot))
    } catch (error) {
      // The next snapshot starts a new thread.
      throw thread.hasEnded ? unavailable(error) : error
    } finally {
      // Not awaited. It rejects if the thread has exited.
      thread.send({ operation: 'end', snapshot }).catch(() => undefined)
    }
  }

  async close(): Promise<void> {
    const thread = await this.#thread?.catch(() => undefined)
    await thread?.close({ operation: 'close' })
  }

  /** Starts a thread if none is running. After a failure, the next call tries again. */
  async #runningThread(): Promise<Thread> {
    const starting = this.#thread
    const thread = await starting?.catch(() => undefined)
    // A concurrent call can have replaced the thread already.
    if (thread?.hasEnded && this.#thread === starting) this.#thread = undefined
    this.#thread ??= SqliteThread.start<QueryRequest>(SCRIPT, this.#path)
    try {
      return await this.#thread
    } catch (error) {
      this.#thread = undefined
      throw unavailable(error)
    }
  }
}

class QueryConnection implements Connection {
  readonly sql = SQL
  readonly #thread: Thread
  readonly #snapshot: number

  constructor(thread: Thread, snapshot: number) {
    this.#thread = thread
    this.#snapshot = snapshot
  }

  get<Row>(statement: string, ...values: Value[]): Promise<Row | undefined> {
    return this.#send('get', statement, values) as Promise<Row | undefined>
  }

  all<Row>(statement: string, ...values: Value[]): Promise<Row[]> {
    return this.#send('all', statement, values) as Promise<Row[]>
  }

  joinElements(statement: string, separator: string, ...values: number[]): Promise<Uint8Array> {
    return this.#send('bytes', joinStatement(statement, separator), values) as Promise<Uint8Array>
  }

  numbers(statement: string, ...values: Value[]): Promise<Float64Array> {
    return this.#send('numbers', statement, values) as Promise<Float64Array>
  }

  #send(
    operation: 'get' | 'all' | 'bytes' | 'numbers',
    statement: string,
    values: Value[],
  ): Promise<unknown> {
    return this.#thread.send({ operation, snapshot: this.#snapshot, statement, values })
  }
}
