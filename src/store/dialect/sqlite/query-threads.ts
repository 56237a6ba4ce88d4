// Runs slow queries on worker threads, one query per thread. Threads start on demand. A thread is terminated to cancel its
// query, because SQLite statements cannot be interrupted otherwise.
import { Semaphore } from '../../../semaphore.ts'
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
  readonly #turns = new Semaphore(MAX_THREADS)
  #idleTimer: NodeJS.Timeout | undefined

  constructor(path: string) {
    this.#path = path
  }

  async snapshot<Result>(
    work: (snapshot: Connection) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    return this.#turns.run(async () => {
      const thread = this.#idleThreads.pop() ?? new SqliteTransactions({ path: this.#path, isReadOnly: true })
      this.#threads.add(thread)
      try {
        return await thread.transaction(work, undefined, signal)
      } finally {
        this.#idleThreads.push(thread)
        clearTimeout(this.#idleTimer)
        this.#idleTimer = setTimeout(() => this.#stopIdleThreads(), MAX_IDLE_MS).unref()
      }
    }, signal)
  }

  /** Waits until all queries have ended. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    await Promise.all([...this.#threads].map((thread) => thread.close()))
  }

  #stopIdleThreads(): void {
    for (const thread of this.#idleThreads.splice(0, Math.max(0, this.#idleThreads.length - 1))) {
      this.#threads.delete(thread)
      // It has no transaction, so this fails only if the thread has failed already.
      thread.close().catch(() => undefined)
    }
  }
}
