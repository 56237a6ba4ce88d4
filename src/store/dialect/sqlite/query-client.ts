// Runs snapshots of kind `query` on a worker thread, so that slow queries do not block the main thread. The thread
// starts on first use.
import type { Connection, Value } from '../dialect.ts'
import { unavailableError } from '../errors.ts'
import type { QueryRequest } from './query-thread.ts'
import { joinStatement, SQL_FRAGMENTS } from './sql.ts'
import { SqliteThread } from './thread.ts'

const WORKER_SCRIPT = new URL('./query-thread.ts', import.meta.url)

type Thread = SqliteThread<QueryRequest>

/** All statements run on one thread, so more open snapshots would only use memory. */
const MAX_OPEN_SNAPSHOTS = 4

export class SqliteQueryClient {
  readonly #path: string
  #thread: Promise<Thread> | undefined
  #lastSnapshotId = 0
  #openSnapshotCount = 0
  readonly #waiters: (() => void)[] = []

  constructor(path: string) {
    this.#path = path
  }

  async snapshot<Result>(work: (snapshot: Connection) => Promise<Result>): Promise<Result> {
    if (this.#openSnapshotCount >= MAX_OPEN_SNAPSHOTS)
      await new Promise<void>((resolve) => this.#waiters.push(resolve))
    else this.#openSnapshotCount += 1
    try {
      return await this.#runSnapshot(work)
    } finally {
      // The next waiter takes over this slot, so the count does not change.
      const startNext = this.#waiters.shift()
      if (startNext) startNext()
      else this.#openSnapshotCount -= 1
    }
  }

  async #runSnapshot<Result>(work: (snapshot: Connection) => Promise<Result>): Promise<Result> {
    const thread = await this.#ensureThread()
    this.#lastSnapshotId += 1
    const snapshotId = this.#lastSnapshotId
    try {
      await thread.send({ operation: 'begin', snapshotId })
      return await work(new QueryConnection(thread, snapshotId))
    } catch (error) {
      // If the thread has exited, clients can retry: the next call of #ensureThread starts a new one.
      throw thread.hasExited ? unavailableError(error) : error
    } finally {
      // The reply is not awaited. The promise rejects if the thread has exited.
      thread.send({ operation: 'end', snapshotId }).catch(() => undefined)
    }
  }

  async close(): Promise<void> {
    const thread = await this.#thread?.catch(() => undefined)
    await thread?.close({ operation: 'close' })
  }

  /** Starts a thread if none is running. After a failure, the next call tries again. */
  async #ensureThread(): Promise<Thread> {
    const threadPromise = this.#thread
    const thread = await threadPromise?.catch(() => undefined)
    // Another call might have replaced the thread during the await.
    if (thread?.hasExited && this.#thread === threadPromise) this.#thread = undefined
    this.#thread ??= SqliteThread.start<QueryRequest>(WORKER_SCRIPT, this.#path)
    try {
      return await this.#thread
    } catch (error) {
      this.#thread = undefined
      throw unavailableError(error)
    }
  }
}

class QueryConnection implements Connection {
  readonly sql = SQL_FRAGMENTS
  readonly #thread: Thread
  readonly #snapshotId: number

  constructor(thread: Thread, snapshotId: number) {
    this.#thread = thread
    this.#snapshotId = snapshotId
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

  readNumbers(statement: string, ...values: Value[]): Promise<Float64Array> {
    return this.#send('numbers', statement, values) as Promise<Float64Array>
  }

  #send(
    operation: 'get' | 'all' | 'bytes' | 'numbers',
    statement: string,
    values: Value[],
  ): Promise<unknown> {
    return this.#thread.send({ operation, snapshotId: this.#snapshotId, statement, values })
  }
}
