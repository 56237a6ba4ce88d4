// The main-thread side of a SQLite worker thread: sends requests and receives the replies.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { CommandError } from '../../../errors.ts'
import { asProblem } from './errors.ts'
import type { Reply } from './thread-messages.ts'

interface PendingReply {
  resolve(value: unknown): void
  reject(error: unknown): void
}

export class SqliteThread<Request extends { operation: string }> {
  readonly #worker: Worker
  /** In the order of the requests, which is also the order of the replies. */
  readonly #pendingReplies: PendingReply[] = []
  #failure: Error | undefined

  private constructor(worker: Worker) {
    this.#worker = worker
    worker.on('message', (reply: Reply) => this.#handleReply(reply))
    worker.on('error', (error) => this.#fail(error as Error))
    worker.on('exit', () => this.#fail(new Error('A database thread exited unexpectedly')))
    worker.unref()
  }

  /** Throws CommandError if the file cannot be opened. */
  static async start<Request extends { operation: string }>(
    script: URL,
    path: string,
  ): Promise<SqliteThread<Request>> {
    const worker = new Worker(script, {
      workerData: { path },
      // Messages are short-lived garbage; without this limit the heap would grow to tens of megabytes.
      resourceLimits: { maxYoungGenerationSizeMb: 2 },
    })
    const [reply] = (await once(worker, 'message')) as [Reply]
    if (!('error' in reply)) return new SqliteThread(worker)
    await worker.terminate()
    const { message, hint } = reply.error
    throw hint === undefined ? new Error(message) : new CommandError(message, hint)
  }

  get hasExited(): boolean {
    return this.#failure !== undefined
  }

  send(request: Request): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#pendingReplies.push({ resolve, reject })
      this.#worker.ref()
      this.#worker.postMessage(request)
    })
  }

  /** Resolves after all earlier requests are done and the thread has exited. */
  async close(request: Request & { operation: 'close' }): Promise<void> {
    if (this.#failure) return
    const exitPromise = once(this.#worker, 'exit')
    await this.send(request)
    this.#worker.ref()
    await exitPromise
  }

  #handleReply(reply: Reply): void {
    const pendingReply = this.#pendingReplies.shift()
    // An idle thread must not keep the process alive.
    if (this.#pendingReplies.length === 0) this.#worker.unref()
    if ('error' in reply)
      pendingReply?.reject(asProblem(Object.assign(new Error(reply.error.message), reply.error)))
    else pendingReply?.resolve(reply.value)
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#pendingReplies.splice(0)) reject(error)
  }
}
