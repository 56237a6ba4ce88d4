// Where the transactions of a SQLite file run: in a worker thread, to which requests are sent as messages, or in this thread.
import { once } from 'node:events'
import { extname } from 'node:path'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { CommandError } from '../../../errors.ts'
import { asProblem, isBusy, translateErrors } from './errors.ts'
import { BUSY_TIMEOUT_MS } from './file.ts'
import { type SessionOptions, type SessionRequest, SqliteSession } from './session.ts'
import type { WorkerReply } from './worker.ts'

/** A .ts file in the checkout, and a .js file in the package. */
const WORKER_SCRIPT = new URL(`./worker${extname(import.meta.filename)}`, import.meta.url)

/** How long BEGIN blocks the calling thread, before it is tried again. */
const LOCK_TIMEOUT_MS = 100

/** Handles the requests of a session in order. */
export interface SessionRunner {
  /** Whether the session cannot be used any more. */
  readonly hasExited: boolean
  send(request: SessionRequest): Promise<unknown>
  /**
   * Cancels the running statement, if it calls a function of JavaScript from time to time (`cancelable`). Its request fails
   * when the thread has exited.
   */
  terminate(): void
  /** Resolves after all earlier requests are done. */
  close(): Promise<void>
}

/**
 * Runs the session in this thread, where statements need no messages: for commands, and for the thread that stores large
 * uploads. The event loop is blocked while a statement runs, so a service does its other writes in a worker thread.
 */
export class LocalSession implements SessionRunner {
  readonly hasExited = false
  readonly #path: string
  readonly #session: SqliteSession
  #isCanceled = false

  /** Throws like SqliteThread.start. */
  constructor(options: SessionOptions) {
    this.#path = options.path
    const sessionOptions = { ...options, lockTimeoutMs: LOCK_TIMEOUT_MS }
    this.#session = translateErrors(options.path, () => new SqliteSession(sessionOptions))
  }

  async send(request: SessionRequest): Promise<unknown> {
    if (request.operation === 'begin') return this.#waitForLock(request)
    // After the caller has continued: a checkpoint of a large import takes seconds, and blocks no writes of other threads.
    if (request.operation === 'end') setImmediate(() => this.#session.checkpoint())
    return translateErrors(this.#path, () => this.#session.handle(request))
  }

  /** Tries again and again, so that the event loop runs, and Ctrl-C works, while another process writes. */
  async #waitForLock(begin: SessionRequest): Promise<void> {
    this.#isCanceled = false
    const deadline = performance.now() + BUSY_TIMEOUT_MS.writer
    for (;;) {
      try {
        this.#session.handle(begin)
        return
      } catch (error) {
        if (this.#isCanceled || !isBusy(error) || performance.now() > deadline)
          throw asProblem(this.#path, error)
      }
      await yieldToEventLoop()
    }
  }

  /** Only BEGIN can be canceled: other statements of this thread have always ended. */
  terminate(): void {
    this.#isCanceled = true
  }

  async close(): Promise<void> {
    await this.send({ operation: 'close' })
  }
}

export class SqliteThread implements SessionRunner {
  readonly #worker: Worker
  readonly #path: string
  /** In the order of the requests, which is also the order of the replies. */
  readonly #pendingReplies: PromiseWithResolvers<unknown>[] = []
  #failure: Error | undefined

  private constructor(worker: Worker, path: string) {
    this.#worker = worker
    this.#path = path
    worker.on('message', (reply: WorkerReply) => this.#handleReply(reply))
    worker.on('error', (error) => this.#fail(error as Error))
    worker.on('exit', () => this.#fail(new Error('A database thread exited unexpectedly')))
    worker.unref()
  }

  /** Throws CommandError if the file cannot be opened, and store-damaged if it is damaged. */
  static async start(options: SessionOptions): Promise<SqliteThread> {
    const worker = new Worker(WORKER_SCRIPT, {
      workerData: options,
      // Node 24 warns that node:sqlite is experimental.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      // Rows are short-lived garbage. With less than this, those of a frame would be moved to the old generation, which grows.
      resourceLimits: { maxYoungGenerationSizeMb: 12 },
    })
    const [reply] = (await once(worker, 'message')) as [WorkerReply]
    if (!('error' in reply)) return new SqliteThread(worker, options.path)
    await worker.terminate()
    const { message, hint } = reply.error
    throw hint === undefined ? toError(options.path, reply.error) : new CommandError(message, hint)
  }

  get hasExited(): boolean {
    return this.#failure !== undefined
  }

  send(request: SessionRequest): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure)
    const pendingReply = Promise.withResolvers<unknown>()
    this.#pendingReplies.push(pendingReply)
    this.#worker.ref()
    this.#worker.postMessage(request)
    return pendingReply.promise
  }

  async close(): Promise<void> {
    if (this.#failure) return
    const exitPromise = once(this.#worker, 'exit')
    await this.send({ operation: 'close' })
    this.#worker.ref()
    await exitPromise
  }

  terminate(): void {
    this.#failure ??= new Error('The statement was canceled')
    void this.#worker.terminate()
  }

  #handleReply(reply: WorkerReply): void {
    const pendingReply = this.#pendingReplies.shift()
    // An idle thread must not keep the process alive.
    if (this.#pendingReplies.length === 0) this.#worker.unref()
    if ('error' in reply) pendingReply?.reject(toError(this.#path, reply.error))
    else pendingReply?.resolve(reply.value)
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#pendingReplies.splice(0)) reject(this.#failure)
  }
}

function toError(path: string, error: { message: string; errcode?: number }): unknown {
  return asProblem(path, Object.assign(new Error(error.message), error))
}
