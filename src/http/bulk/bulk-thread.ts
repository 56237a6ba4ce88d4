// The main-thread side of the bulk thread: starts it on demand, gives it one write after the other, and ends it when there
// are none.
import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { BufferSpace } from '../../disk-budget.ts'
import { Problem } from '../../errors.ts'
import { Semaphore } from '../../semaphore.ts'
import type { Settings } from '../../settings/settings.ts'
import { unavailableError } from '../../store/dialect/errors.ts'
import type { Writer } from '../../store/store.ts'
import type { WriteOutcome } from '../request/write-transaction.ts'
import type { Job, JobMessage, ThreadMessage } from './bulk-worker.ts'

/** A .ts file in the checkout, and a .js file in the package. */
const WORKER_SCRIPT = new URL(`./bulk-worker${extname(import.meta.filename)}`, import.meta.url)
const MAX_IDLE_MS = 10_000

export class BulkThread {
  readonly #settings: Settings
  readonly #writer: Writer
  readonly #turns = new Semaphore(1)
  #worker: Worker | undefined
  #idleTimer: NodeJS.Timeout | undefined

  constructor(settings: Settings, writer: Writer) {
    this.#settings = settings
    this.#writer = writer
  }

  /** Transfers the file of the job, which the thread closes. Throws a Problem. */
  run(job: Job, space: BufferSpace): Promise<WriteOutcome> {
    return this.#turns.run(async () => {
      clearTimeout(this.#idleTimer)
      const worker = this.#worker ?? this.#start()
      worker.ref()
      try {
        return await new RunningJob(worker, this.#writer, space).run(job)
      } finally {
        // An idle thread must not keep the process alive.
        worker.unref()
        this.#idleTimer = setTimeout(() => void this.close(), MAX_IDLE_MS).unref()
      }
    })
  }

  /** Waits for the writes that have begun. */
  close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    return this.#turns.run(async () => {
      const worker = this.#worker
      if (!worker) return
      const exit = once(worker, 'exit')
      worker.ref()
      worker.postMessage({ kind: 'close' } satisfies JobMessage)
      await exit
    })
  }

  #start(): Worker {
    const worker = new Worker(WORKER_SCRIPT, {
      name: 'bulk',
      workerData: this.#settings,
      // Node 24 warns that node:sqlite is experimental.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      // Records are short-lived garbage. Without a limit the heap would grow to tens of megabytes; a smaller one costs CPU time.
      resourceLimits: { maxYoungGenerationSizeMb: 12 },
    })
    this.#worker = worker
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    // RunningJob reports errors. Without a listener, an error would end the process.
    worker.on('error', () => undefined)
    return worker
  }
}

/** One write in the thread. It asks for disk space, and for its turn to write. */
class RunningJob {
  readonly #worker: Worker
  readonly #writer: Writer
  readonly #space: BufferSpace
  readonly #outcome = Promise.withResolvers<WriteOutcome>()
  /** Resolved when the transaction has ended. */
  readonly #written = Promise.withResolvers<void>()
  #isWriting = false
  /** The disk space that the thread uses. */
  #reservedBytes = 0
  /** Answers are sent in the order of the questions. */
  #lastAnswer: Promise<void> = Promise.resolve()

  constructor(worker: Worker, writer: Writer, space: BufferSpace) {
    this.#worker = worker
    this.#writer = writer
    this.#space = space
  }

  async run(job: Job): Promise<WriteOutcome> {
    const onMessage = (message: ThreadMessage) => this.#handle(message)
    const onExit = (cause: unknown) => this.#outcome.reject(this.#exitError(cause))
    this.#worker.on('message', onMessage).once('error', onExit).once('exit', onExit)
    try {
      this.#worker.postMessage({ kind: 'job', job } satisfies JobMessage, job.file ? [job.file] : [])
      return await this.#outcome.promise
    } finally {
      this.#worker.off('message', onMessage).off('error', onExit).off('exit', onExit)
      this.#written.resolve()
      // A thread that has ended early releases nothing.
      this.#space.release(this.#reservedBytes)
    }
  }

  #handle(message: ThreadMessage): void {
    const { kind } = message
    if (kind === 'reserve') {
      this.#reservedBytes += message.bytes
      this.#answer(this.#space.reserve(message.bytes))
    } else if (kind === 'release') {
      this.#reservedBytes -= message.bytes
      this.#space.release(message.bytes)
    } else if (kind === 'begin') this.#answer(this.#beginWriting())
    else if (kind === 'end') this.#written.resolve()
    else if (kind === 'stored') this.#outcome.resolve(message.outcome)
    else if (kind === 'problem') this.#outcome.reject(Problem.fromData(message.problem))
    else this.#outcome.reject(new Error(message.failure))
  }

  /** Until the thread says that its transaction has ended, this process begins no other. */
  #beginWriting(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const writing = this.#writer.inTurn(() => {
      this.#isWriting = true
      resolve()
      return this.#written.promise
    })
    writing.catch(reject)
    return promise
  }

  #answer(permission: Promise<void>): void {
    const answer = permission.then(
      (): JobMessage => ({ kind: 'answer' }),
      (error): JobMessage => {
        const problem = error instanceof Problem ? error : unavailableError(error)
        return { kind: 'answer', problem: problem.toData() }
      },
    )
    this.#lastAnswer = this.#lastAnswer.then(async () => this.#worker.postMessage(await answer))
  }

  #exitError(cause: unknown): Error {
    if (this.#isWriting) return new Error('The bulk thread exited in a transaction', { cause })
    const detail = 'The thread for large writes has ended. Nothing was stored; try again.'
    return new Problem('unavailable', detail, { 'retry-after': '1' }, { cause })
  }
}
