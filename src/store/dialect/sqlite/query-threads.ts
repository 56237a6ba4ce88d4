// Runs slow queries on worker threads, one query per thread. Threads start on demand. A thread is terminated to cancel its
// query, because SQLite statements cannot be interrupted otherwise.
import type { Connection } from '../dialect.ts'
import { SqliteTransactions } from './transactions.ts'

/** More than requests use (`maxQueries`), so that a background task takes no thread from them. */
const MAX_THREADS = 5
/** When no query has ended for this time, all idle threads but one are stopped, because they use memory. */
const MAX_IDLE_MS = 10_000

export class QueryThreads {
  readonly #path: string
  readonly #threads = new Set<SqliteTransactions>()
  /** The one that was used last is the last. */
  readonly #idleThreads: SqliteTransactions[] = []
  /** In order of arrival. */
  readonly #waiters = new Set<(thread: SqliteTransactions) => void>()
  #idleTimer: NodeJS.Timeout | undefined

  constructor(path: string) {
    this.#path = path
  }

  async snapshot<Result>(
    work: (snapshot: Connection) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const thread = await this.#acquire(signal)
    try {
      return await thread.transaction(work, undefined, signal)
    } finally {
      this.#release(thread)
    }
  }

  /** Waits until all queries have ended. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    await Promise.all([...this.#threads].map((thread) => thread.close()))
  }

  async #acquire(signal: AbortSignal | undefined): Promise<SqliteTransactions> {
    const idleThread = this.#idleThreads.pop()
    if (idleThread) return idleThread
    if (this.#threads.size >= MAX_THREADS) return this.#wait(signal)
    const thread = new SqliteTransactions({ path: this.#path, isReadOnly: true })
    this.#threads.add(thread)
    return thread
  }

  #wait(signal: AbortSignal | undefined): Promise<SqliteTransactions> {
    const { promise, resolve, reject } = Promise.withResolvers<SqliteTransactions>()
    this.#waiters.add(resolve)
    signal?.addEventListener(
      'abort',
      () => {
        this.#waiters.delete(resolve)
        reject(signal.reason)
      },
      { once: true },
    )
    return promise
  }

  #release(thread: SqliteTransactions): void {
    const [startNext] = this.#waiters
    if (startNext) {
      this.#waiters.delete(startNext)
      startNext(thread)
    } else this.#idleThreads.push(thread)
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => this.#stopIdleThreads(), MAX_IDLE_MS).unref()
  }

  #stopIdleThreads(): void {
    for (const thread of this.#idleThreads.splice(0, Math.max(0, this.#idleThreads.length - 1))) {
      this.#threads.delete(thread)
      // It has no transaction, so this fails only if the thread has failed already.
      thread.close().catch(() => undefined)
    }
  }
}
