// Several processes that serve one port and one store: started, replaced when they end, and stopped together.
import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import { CommandError } from '../errors.ts'
import { figuresOf, tell } from './worker-figures.ts'
import type { ToPrimary, ToWorker } from './worker-messages.ts'

/** A process that never serves, or ends this soon, would do so again: the next waits, each time longer. */
const SOON_MS = 5000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000

export class Workers {
  readonly #log: Logger
  readonly #running = new Set<Worker>()
  /** Those of them that listen. */
  readonly #serving = new Set<Worker>()
  #state: 'starting' | 'serving' | 'stopping' = 'starting'
  #soonEnded = 0
  /** Asked for once, however many wait for it. */
  #figures: Promise<string> | undefined
  #onQuiet: (() => void) | undefined

  constructor(log: Logger) {
    this.#log = log
  }

  /** Resolves with the address once all of them listen. Throws CommandError where one cannot. */
  async start(count: number): Promise<string> {
    const started = Array.from({ length: count }, () => this.#fork())
    const [address] = await Promise.all(started)
    if (this.#state === 'starting') this.#state = 'serving'
    return address ?? ''
  }

  /** Lets each finish its answers; resolves when all have ended. */
  async stop(hurry: Promise<unknown>): Promise<void> {
    this.#state = 'stopping'
    void hurry.then(() => this.#tellAll({ say: 'hurry' }))
    this.#tellAll({ say: 'stop' })
    await new Promise<void>((resolve) => {
      this.#onQuiet = resolve
      if (this.#running.size === 0) resolve()
    })
  }

  /** Resolves with the address once it listens. */
  #fork(): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const worker = cluster.fork()
    let servingSince = Number.POSITIVE_INFINITY
    this.#running.add(worker)
    const end = (reason: unknown) => {
      if (!this.#running.delete(worker)) return
      this.#serving.delete(worker)
      reject(new CommandError('A worker ended before it served.', 'Look at the log for the reason.'))
      if (this.#running.size === 0) this.#onQuiet?.()
      if (this.#state !== 'serving') return
      const pause_ms = this.#replace(performance.now() - servingSince < SOON_MS)
      this.#log.error({ worker: worker.process.pid, reason, pause_ms }, 'a worker has ended')
    }
    worker.on('message', (message: ToPrimary) => {
      if (message.say === 'listening') {
        this.#serving.add(worker)
        servingSince = performance.now()
        resolve(message.address)
      } else if (message.say === 'failed') {
        reject(new CommandError(message.message, message.hint, message.exitCode))
      } else if (message.say === 'refused') {
        this.#tellAll(message, worker)
      } else if (message.say === 'metrics') {
        void this.#tellFigures(worker, message.question)
      }
    })
    worker.once('exit', (code, signal) => end(signal ?? code))
    // One that cannot be reached is about to end. Of one that could not be begun there is no other word.
    worker.on('error', (error) => {
      if (worker.process.pid === undefined) end(error)
    })
    return promise
  }

  /** Returns how long it waits before. */
  #replace(isSoon: boolean): number {
    this.#soonEnded = isSoon ? this.#soonEnded + 1 : 0
    const pause =
      this.#soonEnded === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#soonEnded - 1))
    setTimeout(() => {
      if (this.#state !== 'serving') return
      const note = (error: unknown) => this.#log.error({ err: error }, 'a worker cannot be started')
      try {
        this.#fork().catch(note)
      } catch (error) {
        // A machine without memory, say.
        note(error)
        this.#replace(true)
      }
    }, pause)
    return pause
  }

  async #tellFigures(worker: Worker, question: number): Promise<void> {
    this.#figures ??= figuresOf(this.#serving).finally(() => {
      this.#figures = undefined
    })
    try {
      tell(worker, { say: 'metrics', question, text: await this.#figures })
    } catch (error) {
      this.#log.warn({ err: error }, 'the figures of all workers cannot be had')
      tell(worker, { say: 'metrics', question })
    }
  }

  #tellAll(message: ToWorker, except?: Worker): void {
    for (const worker of this.#running) if (worker !== except) tell(worker, message)
  }
}
