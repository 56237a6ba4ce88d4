// A connection pool for one PostgreSQL server. While the server is unreachable, requests fail at once, except for one
// connection attempt after each backoff delay.

import { unavailableError } from '../errors.ts'
import { PostgresConnection, type ServerFeatures } from './connection.ts'

export interface PoolOptions {
  url: string
  size: number
  /** Maximum time to wait for a connection. */
  waitMs: number
  statementMs: number
  features: ServerFeatures
  /** Called with the error when the server becomes unreachable, and with undefined when it is reachable again. */
  onChange?: ((failure: unknown) => void) | undefined
}

/** How long a connection will be used. The number of long uses is limited, so that short ones never wait for them. */
type LeaseLength = 'short' | 'long'

interface Waiter extends PromiseWithResolvers<PostgresConnection> {
  length: LeaseLength
  ignoresBackoff: boolean
  timer: NodeJS.Timeout
  isRejected: boolean
}

/** Long uses wait for other long uses, and writes for other writes, so they get more time. */
export const LONG_WAIT_FACTOR = 6

/** The delay after the first failed connection attempt. Each further failure doubles it. */
const MIN_BACKOFF_MS = 50
const MAX_BACKOFF_MS = 1000
/** A refused connection fails within this time; one that gets no response takes longer. */
const FAST_FAILURE_MS = 500

/** All connections are in use. The server can still be reachable. */
export class PoolExhausted extends Error {
  override name = 'PoolExhausted'
}

/** The connection was already lost when the pool lent it. Another one can work. */
export class StaleConnection extends Error {
  override name = 'StaleConnection'
}

export class PostgresPool {
  readonly #options: PoolOptions
  /** Limit of long leases: a quarter of the connections is reserved for short ones. */
  readonly #maxLongLeases: number
  readonly #idleConnections: PostgresConnection[] = []
  /** The connections in use. */
  readonly #leases = new Map<PostgresConnection, LeaseLength>()
  /** In order of arrival. */
  readonly #waiters = new Set<Waiter>()
  /** Waiters for which a connection is being opened. */
  readonly #connectingWaiters = new Set<Waiter>()
  #failureCount = 0
  #retryAt = 0
  #lastError: unknown
  #lastAttemptMs = 0
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#maxLongLeases = Math.max(1, options.size - Math.ceil(options.size / 4))
  }

  /** Whether the pool has no connection and would not try to open one now. */
  get isUnreachable(): boolean {
    return this.#failureCount > 0 && performance.now() < this.#retryAt && this.#openConnectionCount === 0
  }

  /**
   * Runs `work` with a connection. Throws unavailable, caused by StaleConnection if the connection was already lost.
   * With `ignoresBackoff`, an attempt to connect is made during a backoff delay too, unless the last attempt failed
   * slowly.
   */
  async use<Result>(
    length: LeaseLength,
    work: (connection: PostgresConnection) => Promise<Result>,
    ignoresBackoff = false,
  ): Promise<Result> {
    const connection = await this.#acquire(length, ignoresBackoff)
    try {
      return await work(connection)
    } catch (error) {
      throw connection.isStale
        ? unavailableError(new StaleConnection('The connection was already lost', { cause: error }))
        : error
    } finally {
      this.#release(connection)
    }
  }

  #acquire(length: LeaseLength, ignoresBackoff: boolean): Promise<PostgresConnection> {
    const waitMs = this.#options.waitMs * (length === 'long' ? LONG_WAIT_FACTOR : 1)
    const timer = setTimeout(
      () => this.#reject(waiter, new PoolExhausted('All connections are in use')),
      waitMs,
    )
    const waiter: Waiter = {
      ...Promise.withResolvers<PostgresConnection>(),
      length,
      ignoresBackoff,
      timer,
      isRejected: false,
    }
    this.#waiters.add(waiter)
    if (this.#isClosed) this.#reject(waiter, new Error('The store is closed'))
    this.#serveWaiters()
    return waiter.promise
  }

  #release(connection: PostgresConnection): void {
    this.#leases.delete(connection)
    if (connection.isLost) {
      connection.destroy()
      // The idle connections can be broken too, even if no event has reported it yet.
      for (const idleConnection of this.#idleConnections.splice(0)) void this.#checkIdle(idleConnection)
    } else if (this.#isClosed) void connection.close()
    else this.#idleConnections.push(connection)
    this.#serveWaiters()
  }

  /** Uses the connection again only after the server has responded. */
  async #checkIdle(connection: PostgresConnection): Promise<void> {
    this.#leases.set(connection, 'short')
    const isAlive = await connection.check()
    this.#leases.delete(connection)
    if (!isAlive) connection.destroy()
    else if (this.#isClosed) void connection.close()
    else this.#idleConnections.push(connection)
    this.#serveWaiters()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const waiter of this.#waiters) this.#reject(waiter, new Error('The store is closed'))
    await Promise.all(this.#idleConnections.splice(0).map((connection) => connection.close()))
  }

  get #openConnectionCount(): number {
    return this.#idleConnections.length + this.#leases.size
  }

  #serveWaiters(): void {
    for (const waiter of this.#waiters) {
      if (waiter.length === 'long' && this.#longLeaseCount >= this.#maxLongLeases) continue
      const connection = this.#idleConnections.pop()
      if (connection) this.#lend(waiter, connection)
      else if (this.#openConnectionCount + this.#connectingWaiters.size < this.#options.size)
        this.#connectFor(waiter)
      else return
    }
  }

  get #longLeaseCount(): number {
    const lengths = [...this.#leases.values(), ...[...this.#connectingWaiters].map(({ length }) => length)]
    return lengths.filter((length) => length === 'long').length
  }

  #lend(waiter: Waiter, connection: PostgresConnection): void {
    this.#waiters.delete(waiter)
    clearTimeout(waiter.timer)
    this.#leases.set(connection, waiter.length)
    connection.hasResponded = false
    waiter.resolve(connection)
  }

  #reject(waiter: Waiter, cause: unknown): void {
    this.#waiters.delete(waiter)
    clearTimeout(waiter.timer)
    waiter.isRejected = true
    const backoffMs = this.#failureCount > 0 ? this.#retryAt - performance.now() : 0
    waiter.reject(unavailableError(cause, backoffMs))
  }

  #connectFor(waiter: Waiter): void {
    const isDue = performance.now() >= this.#retryAt && this.#connectingWaiters.size === 0
    const canTry =
      this.#failureCount === 0 || isDue || (waiter.ignoresBackoff && this.#lastAttemptMs < FAST_FAILURE_MS)
    if (canTry) {
      this.#waiters.delete(waiter)
      this.#connectingWaiters.add(waiter)
      void this.#connect(waiter)
    }
    // With a connection in use, the waiter waits until it is released or the next attempt is due.
    else if (this.#openConnectionCount === 0) this.#reject(waiter, this.#lastError)
  }

  async #connect(waiter: Waiter): Promise<void> {
    const { url, statementMs, features } = this.#options
    const start = performance.now()
    try {
      const connection = await PostgresConnection.open(url, statementMs, features, (lostConnection) =>
        this.#removeIdle(lostConnection),
      )
      if (this.#failureCount > 0) this.#options.onChange?.(undefined)
      this.#failureCount = 0
      this.#connectingWaiters.delete(waiter)
      this.#addConnection(connection, waiter)
    } catch (error) {
      this.#connectingWaiters.delete(waiter)
      this.#lastAttemptMs = performance.now() - start
      this.#recordFailure(error)
      this.#reject(waiter, error)
    }
    this.#serveWaiters()
  }

  /** The waiter can have been rejected before the connection was open. */
  #addConnection(connection: PostgresConnection, waiter: Waiter): void {
    if (this.#isClosed) {
      void connection.close()
      this.#reject(waiter, new Error('The store is closed'))
    } else if (!waiter.isRejected) this.#lend(waiter, connection)
    else if (!connection.isLost) this.#idleConnections.push(connection)
  }

  #recordFailure(error: unknown): void {
    if (this.#failureCount === 0) this.#options.onChange?.(error)
    const maxDelayMs = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** this.#failureCount)
    this.#failureCount += 1
    this.#lastError = error
    // Jitter, so that not all instances reconnect at the same time.
    const delayMs = Math.ceil(maxDelayMs * (0.5 + Math.random() / 2))
    this.#retryAt = performance.now() + delayMs
    setTimeout(() => this.#serveWaiters(), delayMs + 1).unref()
  }

  /** A connection that is in use reports the loss through its failing statements. */
  #removeIdle(connection: PostgresConnection): void {
    const index = this.#idleConnections.indexOf(connection)
    if (index >= 0) this.#idleConnections.splice(index, 1)
    this.#serveWaiters()
  }
}
