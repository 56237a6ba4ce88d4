// Supervises the worker processes that serve one port: starts, restarts and stops them.
import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import { CommandError } from '../../errors.ts'
import type { MessageToSupervisor, MessageToWorker } from './worker-channel.ts'

/** A worker that exits within this time is restarted after a delay, which doubles with each early exit. */
const EARLY_EXIT_MS = 5000
const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 30_000

export class Supervisor {
  readonly #log: Logger
  readonly #runningWorkers = new Set<Worker>()
  /** Workers that accept connections. */
  readonly #listeningWorkers = new Set<Worker>()
  #state: 'starting' | 'serving' | 'stopping' = 'starting'
  /** The address that each of the first workers listens on. */
  #addresses: Promise<string[]> = Promise.resolve([])
  #earlyExits = 0
  /** One collection serves all concurrent requests. */
  #metrics: Promise<string> | undefined
  #onAllExited: (() => void) | undefined

  constructor(log: Logger) {
    this.#log = log
  }

  /**
   * Starts the workers. Resolves when the first one has opened the port; no worker opens the store before `serve`.
   * Throws CommandError if the port cannot be opened.
   */
  async bind(count: number): Promise<void> {
    const workers = Array.from({ length: count }, () => this.#fork())
    this.#addresses = Promise.all(workers.map(({ address }) => address))
    const firstWorker = workers[0]?.worker
    if (firstWorker === undefined) return
    sendToWorker(firstWorker, { type: 'bind' })
    const bound = new Promise<void>((resolve) =>
      firstWorker.on('message', ({ type }: MessageToSupervisor) => {
        if (type === 'bound') resolve()
      }),
    )
    await Promise.race([bound, this.#addresses])
  }

  /** Resolves with the address when all workers listen. Throws CommandError if a worker cannot start. */
  async serve(): Promise<string> {
    this.#sendToAll({ type: 'serve' })
    const [address] = await this.#addresses
    if (this.#state === 'starting') this.#state = 'serving'
    return address ?? ''
  }

  /** Lets the workers finish their responses, until `forceStop` resolves. Resolves when all have exited. */
  async stop(forceStop: Promise<unknown>): Promise<void> {
    this.#state = 'stopping'
    void forceStop.then(() => this.#sendToAll({ type: 'force-stop' }))
    this.#sendToAll({ type: 'stop' })
    await new Promise<void>((resolve) => {
      this.#onAllExited = resolve
      if (this.#runningWorkers.size === 0) resolve()
    })
  }

  /** `address` resolves when the worker listens. */
  #fork(): { worker: Worker; address: Promise<string> } {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const worker = cluster.fork()
    let listeningSince = Number.POSITIVE_INFINITY
    this.#runningWorkers.add(worker)
    const onExit = (reason: unknown) => {
      if (!this.#runningWorkers.delete(worker)) return
      this.#listeningWorkers.delete(worker)
      reject(new CommandError('A worker exited before it was ready.', 'The log contains the cause.'))
      if (this.#runningWorkers.size === 0) this.#onAllExited?.()
      if (this.#state !== 'serving') return
      const delay_ms = this.#restart(performance.now() - listeningSince < EARLY_EXIT_MS)
      this.#log.error({ worker: worker.process.pid, reason, delay_ms }, 'worker exited')
    }
    worker.on('message', (message: MessageToSupervisor) => {
      if (message.type === 'listening') {
        this.#listeningWorkers.add(worker)
        listeningSince = performance.now()
        resolve(message.address)
      } else if (message.type === 'failed') {
        reject(new CommandError(message.message, message.hint, message.exitCode))
      } else if (message.type === 'key-rejected') {
        this.#sendToAll(message, worker)
      } else if (message.type === 'request-all-metrics') {
        void this.#sendMetrics(worker, message.requestId)
      }
    })
    worker.once('exit', (code, signal) => onExit(signal ?? code))
    // A worker that could not be spawned emits no 'exit' event. Other errors precede the exit.
    worker.on('error', (error) => {
      if (worker.process.pid === undefined) onExit(error)
    })
    // A worker can also fail while nothing waits for its address.
    promise.catch(() => undefined)
    return { worker, address: promise }
  }

  /** Starts a new worker after a delay, and returns the delay in milliseconds. */
  #restart(isEarlyExit: boolean): number {
    this.#earlyExits = isEarlyExit ? this.#earlyExits + 1 : 0
    const delay =
      this.#earlyExits === 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#earlyExits - 1))
    setTimeout(() => {
      if (this.#state !== 'serving') return
      const logError = (error: unknown) => this.#log.error({ err: error }, 'cannot start worker')
      try {
        const { worker, address } = this.#fork()
        sendToWorker(worker, { type: 'serve' })
        address.catch(logError)
      } catch (error) {
        // For example when the machine is out of memory.
        logError(error)
        this.#restart(true)
      }
    }, delay)
    return delay
  }

  async #sendMetrics(worker: Worker, requestId: number): Promise<void> {
    this.#metrics ??= collectMetrics(this.#listeningWorkers).finally(() => {
      this.#metrics = undefined
    })
    try {
      sendToWorker(worker, { type: 'all-metrics', requestId, text: await this.#metrics })
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot collect the metrics of all workers')
      sendToWorker(worker, { type: 'all-metrics', requestId })
    }
  }

  #sendToAll(message: MessageToWorker, excludedWorker?: Worker): void {
    for (const worker of this.#runningWorkers) if (worker !== excludedWorker) sendToWorker(worker, message)
  }
}

/** A worker that does not respond within this time counts as hanging. */
const TIMEOUT_MS = 5000

let lastRequestId = 0

/** Skips workers that exit meanwhile. Throws if a worker does not respond in time. */
async function collectMetrics(workers: Iterable<Worker>): Promise<string> {
  const metrics = await Promise.all(Array.from(workers, requestMetrics))
  return AggregatorRegistry.aggregate(metrics).metrics()
}

function requestMetrics(worker: Worker): Promise<object[]> {
  lastRequestId += 1
  const requestId = lastRequestId
  const { promise, resolve, reject } = Promise.withResolvers<object[]>()
  function onMessage(message: MessageToSupervisor): void {
    if (message.type === 'worker-metrics' && message.requestId === requestId) resolve(message.metrics)
  }
  function onExit(): void {
    resolve([])
  }
  const timer = setTimeout(
    () => reject(new Error(`Worker ${worker.process.pid} did not send its metrics in time`)),
    TIMEOUT_MS,
  )
  worker.on('message', onMessage).once('exit', onExit)
  sendToWorker(worker, { type: 'request-metrics', requestId })
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', onMessage).off('exit', onExit)
  })
}

function sendToWorker(worker: Worker, message: MessageToWorker): void {
  // A worker that is exiting receives no messages.
  if (worker.isConnected()) worker.send(message, () => undefined)
}
