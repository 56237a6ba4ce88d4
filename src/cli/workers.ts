// Several processes that serve one port and one store: started, replaced when they end, and stopped together.
import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import { CommandError } from '../errors.ts'
import type { ToPrimary, ToWorker } from './worker-messages.ts'

/** A process that ends this soon would do so again: the next waits, each time longer. */
const SOON_MS = 5000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000

export class Workers {
  readonly #log: Logger
  readonly #figures = new AggregatorRegistry()
  readonly #running = new Set<Worker>()
  #state: 'starting' | 'serving' | 'stopping' = 'starting'
  #soonEnded = 0
  #onQuiet: (() => void) | undefined

  constructor(log: Logger) {
    this.#log = log
  }

  /** Resolves with the address once all of them listen. Throws CommandError where one cannot. */
  async start(count: number): Promise<string> {
    cluster.on('message', (worker, message: ToPrimary) => this.#hear(worker, message))
    const started = Array.from({ length: count }, () => this.#fork())
    const [address] = await Promise.all(started)
    this.#state = 'serving'
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

  #fork(): Promise<string> {
    const worker = cluster.fork()
    const begun = performance.now()
    this.#running.add(worker)
    return new Promise((resolve, reject) => {
      worker.on('message', (message: ToPrimary) => {
        if (message.say === 'listening') resolve(message.address)
        else if (message.say === 'failed')
          reject(new CommandError(message.message, message.hint, message.exitCode))
      })
      worker.once('exit', (code, signal) => {
        this.#running.delete(worker)
        if (this.#running.size === 0) this.#onQuiet?.()
        reject(new CommandError('A worker ended before it served.', 'Look at the log for the reason.'))
        if (this.#state !== 'serving') return
        this.#log.error({ worker: worker.process.pid, reason: signal ?? code }, 'a worker has ended')
        this.#replace(performance.now() - begun)
      })
    })
  }

  #replace(livedMs: number): void {
    this.#soonEnded = livedMs < SOON_MS ? this.#soonEnded + 1 : 0
    const pause =
      this.#soonEnded === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#soonEnded - 1))
    setTimeout(() => {
      if (this.#state !== 'serving') return
      this.#fork().catch((error) => this.#log.error({ err: error }, 'a worker cannot be started'))
    }, pause)
  }

  #hear(worker: Worker, message: ToPrimary): void {
    if (message.say === 'refused') this.#tellAll(message, worker)
    else if (message.say === 'metrics') void this.#tellFigures(worker, message.question)
  }

  async #tellFigures(worker: Worker, question: number): Promise<void> {
    const text = await this.#figures.clusterMetrics()
    tell(worker, { say: 'metrics', question, text })
  }

  #tellAll(message: ToWorker, except?: Worker): void {
    for (const worker of this.#running) if (worker !== except) tell(worker, message)
  }
}

function tell(worker: Worker, message: ToWorker): void {
  // One that is ending hears nothing any more.
  if (worker.isConnected()) worker.send(message, () => undefined)
}
