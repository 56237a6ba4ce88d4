// A thread that works on a SQLite file, as the rest of the program sees it: requests and their replies.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { CommandError } from '../../errors.ts'
import { asProblem } from './sqlite-errors.ts'
import type { Reply } from './sqlite-reply.ts'

interface Waiting {
  resolve(value: unknown): void
  reject(error: unknown): void
}

export class SqliteThread<Request extends { do: string }> {
  readonly #worker: Worker
  /** Replies come in the order of the requests. */
  readonly #waiting: Waiting[] = []
  #failure: Error | undefined

  private constructor(worker: Worker) {
    this.#worker = worker
    worker.on('message', (reply: Reply) => this.#settle(reply))
    worker.on('error', (error) => this.#fail(error as Error))
    worker.on('exit', () => this.#fail(new Error('A thread of the store has ended')))
    worker.unref()
  }

  /** Throws CommandError where the file cannot be opened. */
  static async start<Request extends { do: string }>(
    script: URL,
    path: string,
  ): Promise<SqliteThread<Request>> {
    const worker = new Worker(script, {
      workerData: { path },
      // Messages come and go; without a limit the thread would let tens of megabytes of them lie about.
      resourceLimits: { maxYoungGenerationSizeMb: 2 },
    })
    const [opened] = (await once(worker, 'message')) as [Reply]
    if (!('error' in opened)) return new SqliteThread(worker)
    await worker.terminate()
    const { message, hint } = opened.error
    throw hint === undefined ? new Error(message) : new CommandError(message, hint)
  }

  get hasEnded(): boolean {
    return this.#failure !== undefined
  }

  ask(request: Request): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#worker.ref()
      this.#worker.postMessage(request)
    })
  }

  /** Once it has done what it was asked to. */
  async close(last: Request & { do: 'close' }): Promise<void> {
    if (this.#failure) return
    const exited = once(this.#worker, 'exit')
    await this.ask(last)
    this.#worker.ref()
    await exited
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.shift()
    // An idle thread is no reason for the process to stay.
    if (this.#waiting.length === 0) this.#worker.unref()
    if ('error' in reply)
      waiting?.reject(asProblem(Object.assign(new Error(reply.error.message), reply.error)))
    else waiting?.resolve(reply.value)
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}
