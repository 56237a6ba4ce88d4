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
  readonly #pending: PendingReply[] = []
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
      // Messages are short-lived garbage; without this limit it would grow to tens of megabytes.
      resourceLimits: { maxYoungGenerationSizeMb: 2 },
    })
    const [reply] = (await once(worker, 'message')) as [Reply]
    if (!('error' in reply)) return new SqliteThread(worker)
    await worker.terminate()
    const { message, hint } = reply.error
    throw hint === undefined ? new Error(message) : new CommandError(message, hint)
  }

  get hasEnded(): boolean {
    return this.#failure !== undefined
  }

  send(request: Request): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject })
      this.#worker.ref()
      this.#worker.postMessage(request)
    })
  }

  /** Resolves after all earlier requests are done and the thread has exited. */
  async close(request: Request & { operation: 'close' }): Promise<void> {
    if (this.#failure) return
    const exited = once(this.#worker, 'exit')
    await this.send(request)
    this.#worker.ref()
    await exited
  }

  #handleReply(reply: Reply): void {
    const pending = this.#pending.shift()
    // An idle thread must not keep the process alive.
    if (this.#pending.length === 0) this.#worker.unref()
    if ('error' in reply)
      pending?.reject(asProblem(Object.assign(new Error(reply.error.message), reply.error)))
    else pending?.resolve(reply.value)
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#pending.splice(0)) reject(error)
  }
}
