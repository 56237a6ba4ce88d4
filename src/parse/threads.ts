// The main-thread side of the parse threads: starts them on demand, and ends them when no upload needs them.
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Problem } from '../errors.ts'
import type { CancelRequest, ParsedPiece, ParseReply, ParseRequest } from './worker.ts'

/** A .ts file in the checkout, and a .js file in the package. */
const WORKER_SCRIPT = new URL(`./worker${extname(import.meta.filename)}`, import.meta.url)
/** The thread that stores the rows has work too, and each thread uses about 20 MB. */
const MAX_THREADS = Math.min(2, availableParallelism())
const MAX_IDLE_MS = 10_000

export class ParseThreads {
  #threads: ParseThread[] = []
  #lastUpload = 0
  #openUploads = 0
  #idleTimer: NodeJS.Timeout | undefined

  /** Returns the number of a new upload. It must be closed. */
  open(): number {
    clearTimeout(this.#idleTimer)
    this.#openUploads += 1
    this.#lastUpload += 1
    return this.#lastUpload
  }

  /** The rest of the upload is not parsed. */
  close(upload: number): void {
    for (const thread of this.#threads) thread.cancel(upload)
    this.#openUploads -= 1
    if (this.#openUploads === 0)
      this.#idleTimer = setTimeout(() => void this.terminate(), MAX_IDLE_MS).unref()
  }

  /** The thread with the shortest queue. `isLong`: whether to start another thread, which takes about 100 ms, if all are busy. */
  choose(isLong: boolean): ParseThread {
    this.#threads = this.#threads.filter((thread) => !thread.hasFailed)
    const [idlest] = this.#threads.toSorted((a, b) => a.pendingCount - b.pendingCount)
    if (idlest && (idlest.pendingCount === 0 || !isLong || this.#threads.length === MAX_THREADS))
      return idlest
    const thread = new ParseThread()
    this.#threads.push(thread)
    return thread
  }

  /** Uploads that are open fail. */
  async terminate(): Promise<void> {
    clearTimeout(this.#idleTimer)
    await Promise.all(this.#threads.splice(0).map((thread) => thread.terminate()))
  }
}

export class ParseThread {
  readonly #worker = new Worker(WORKER_SCRIPT, {
    name: 'parse',
    // Records are short-lived garbage. Without a limit the heap would grow to tens of megabytes; a smaller one costs CPU time.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  })
  /** In the order of the requests, which is also the order of the replies. */
  readonly #pendingReplies: PromiseWithResolvers<ParsedPiece>[] = []
  #failure: unknown

  constructor() {
    this.#worker.on('message', (reply: ParseReply) => this.#handleReply(reply))
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(new Error('A parse thread exited unexpectedly')))
    this.#worker.unref()
  }

  get pendingCount(): number {
    return this.#pendingReplies.length
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined
  }

  /** Transfers the buffer of the bytes. Throws a Problem. */
  parse(request: ParseRequest): Promise<ParsedPiece> {
    if (this.#failure !== undefined) return Promise.reject(threadProblem(this.#failure))
    const pendingReply = Promise.withResolvers<ParsedPiece>()
    this.#pendingReplies.push(pendingReply)
    this.#worker.ref()
    this.#worker.postMessage(request, [request.bytes.buffer])
    return pendingReply.promise
  }

  cancel(upload: number): void {
    this.#worker.postMessage({ upload, isCanceled: true } satisfies CancelRequest)
  }

  async terminate(): Promise<void> {
    this.#fail(new Error('The parse thread was terminated'))
    await this.#worker.terminate()
  }

  #handleReply(reply: ParseReply): void {
    const pendingReply = this.#pendingReplies.shift()
    // An idle thread must not keep the process alive.
    if (this.#pendingReplies.length === 0) this.#worker.unref()
    if ('problem' in reply) pendingReply?.reject(Problem.fromData(reply.problem))
    else if ('failure' in reply) pendingReply?.reject(new Error(reply.failure))
    else pendingReply?.resolve(reply)
  }

  #fail(error: unknown): void {
    this.#failure ??= error
    for (const { reject } of this.#pendingReplies.splice(0)) reject(threadProblem(this.#failure))
  }
}

function threadProblem(cause: unknown): Problem {
  const detail = 'The thread that parses uploads has ended. Nothing was stored; try again.'
  return new Problem('unavailable', detail, { 'retry-after': '1' }, { cause })
}
