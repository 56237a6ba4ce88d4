// The connections to one PostgreSQL server: few, used in turn, opened when they are needed. While the server is
// away nobody waits for it: it is tried again after a pause, and everyone else is told at once.
import { PostgresConnection } from './postgres-connection.ts'
import { asProblem } from './postgres-errors.ts'
import { unavailable } from './unavailable.ts'

export interface PoolOptions {
  url: string
  size: number
  /** How long to wait for a connection. */
  waitMs: number
  statementMs: number
  /** Told when the server cannot be reached any more, with the reason, and when it can again. */
  onChange?: ((failure: unknown) => void) | undefined
}

/** How long a connection will be needed: short ones are never kept waiting by long ones, of which fewer run at once. */
type Length = 'short' | 'long'

interface Waiting {
  length: Length
  resolve(connection: PostgresConnection): void
  reject(error: unknown): void
  timer: NodeJS.Timeout
  isOver: boolean
  isInsistent: boolean
}

/** Those who wait for a long answer wait for others that are long. */
const LONG_PATIENCE = 6

/** The pause after the first failed attempt to connect; each further one doubles it, up to the longest. */
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1000
/** What is refused is refused within this; what is not heard of takes longer. */
const QUICKLY_MS = 500

/** The server may be well: all its connections are in use. */
export class NoneFree extends Error {
  override name = 'NoneFree'
}

/** The connection was of no use before anything was asked: the next one may well be. */
export class WasStale extends Error {
  override name = 'WasStale'
}

export class PostgresPool {
  readonly #options: PoolOptions
  /** One in four is kept free for what is short. */
  readonly #mostLong: number
  readonly #idle: PostgresConnection[] = []
  readonly #taken = new Map<PostgresConnection, Length>()
  /** In the order they came. */
  readonly #waiting = new Set<Waiting>()
  readonly #connecting = new Set<Waiting>()
  #failures = 0
  #retryAt = 0
  #failure: unknown
  #failedWithinMs = 0
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: PoolOptions) {
    this.#options = options
    this.#mostLong = Math.max(1, options.size - Math.ceil(options.size / 4))
  }

  /** Whether an attempt to connect would come to nothing. */
  get isAway(): boolean {
    return this.#failures > 0 && performance.now() < this.#retryAt && this.#live === 0
  }

  /**
   * Whoever takes a connection gives it back. Throws unavailable. Who insists does not take it from others that the
   * server is away, unless finding out takes long.
   */
  take(length: Length, isInsistent = false): Promise<PostgresConnection> {
    const waitMs = this.#options.waitMs * (length === 'long' ? LONG_PATIENCE : 1)
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        length,
        resolve,
        reject,
        isOver: false,
        isInsistent,
        timer: setTimeout(() => this.#refuse(waiting, new NoneFree('No connection was free')), waitMs),
      }
      this.#waiting.add(waiting)
      if (this.#isClosed) this.#refuse(waiting, new Error('The store is closed'))
      this.#serve()
    })
  }

  giveBack(connection: PostgresConnection): void {
    this.#taken.delete(connection)
    const isGone = connection.isLost || connection.isSilent
    // What has happened to one connection may have happened to those that were idle, unseen so far.
    if (isGone) for (const other of [connection, ...this.#idle.splice(0)]) other.destroy()
    else if (this.#isClosed) void connection.close()
    else this.#idle.push(connection)
    this.#serve()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const waiting of this.#waiting) this.#refuse(waiting, new Error('The store is closed'))
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()))
  }

  get #live(): number {
    return this.#idle.length + this.#taken.size
  }

  #serve(): void {
    for (const waiting of this.#waiting) {
      if (waiting.length === 'long' && this.#long >= this.#mostLong) continue
      const connection = this.#idle.pop()
      if (connection) this.#hand(waiting, connection)
      else if (this.#live + this.#connecting.size < this.#options.size) this.#connectFor(waiting)
      else return
    }
  }

  #serveLater(): void {
    if (this.#timer) return
    const tryAgain = () => {
      this.#timer = undefined
      this.#serve()
    }
    this.#timer = setTimeout(tryAgain, this.#retryAt - performance.now()).unref()
  }

  get #long(): number {
    const inUse = [...this.#taken.values(), ...[...this.#connecting].map(({ length }) => length)]
    return inUse.filter((length) => length === 'long').length
  }

  #hand(waiting: Waiting, connection: PostgresConnection): void {
    this.#waiting.delete(waiting)
    clearTimeout(waiting.timer)
    this.#taken.set(connection, waiting.length)
    waiting.resolve(connection)
  }

  #refuse(waiting: Waiting, cause: unknown): void {
    this.#waiting.delete(waiting)
    clearTimeout(waiting.timer)
    waiting.isOver = true
    const pause = this.#failures > 0 ? this.#retryAt - performance.now() : 0
    waiting.reject(unavailable(cause, pause))
  }

  #connectFor(waiting: Waiting): void {
    const isDue = performance.now() >= this.#retryAt && this.#connecting.size === 0
    const mayTry = this.#failures === 0 || isDue || (waiting.isInsistent && this.#failedWithinMs < QUICKLY_MS)
    if (mayTry) {
      this.#waiting.delete(waiting)
      this.#connecting.add(waiting)
      void this.#connect(waiting)
    } else if (this.#live === 0) this.#refuse(waiting, this.#failure)
    // One of those that are in use may come back before it is time to try again.
    else this.#serveLater()
  }

  async #connect(waiting: Waiting): Promise<void> {
    const { url, statementMs } = this.#options
    const start = performance.now()
    try {
      const connection = await PostgresConnection.open(url, statementMs, (lost) => this.#forget(lost))
      if (this.#failures > 0) this.#options.onChange?.(undefined)
      this.#failures = 0
      this.#connecting.delete(waiting)
      this.#welcome(connection, waiting)
    } catch (error) {
      this.#connecting.delete(waiting)
      this.#failedWithinMs = performance.now() - start
      this.#noteFailure(error)
      this.#refuse(waiting, error)
    }
    this.#serve()
  }

  /** It may have taken too long for the one it was opened for. */
  #welcome(connection: PostgresConnection, waiting: Waiting): void {
    if (this.#isClosed) {
      void connection.close()
      this.#refuse(waiting, new Error('The store is closed'))
    } else if (!waiting.isOver) this.#hand(waiting, connection)
    else if (!connection.isLost) this.#idle.push(connection)
  }

  #noteFailure(error: unknown): void {
    if (this.#failures === 0) this.#options.onChange?.(error)
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures)
    this.#failures += 1
    this.#failure = asProblem(error)
    // Not all instances at the same moment.
    this.#retryAt = performance.now() + pause * (0.5 + Math.random() / 2)
  }

  /** One that is in use is told to those who use it by its statements. */
  #forget(connection: PostgresConnection): void {
    const index = this.#idle.indexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
    this.#serve()
  }
}

/** Takes a connection for some work. Throws unavailable because of WasStale where the work has not begun. */
export async function use<Answer>(
  pool: PostgresPool,
  length: Length,
  work: (connection: PostgresConnection) => Promise<Answer>,
  isInsistent = false,
): Promise<Answer> {
  const connection = await pool.take(length, isInsistent)
  connection.hasAnswered = false
  try {
    return await work(connection)
  } catch (error) {
    const isStale = connection.isLost && !connection.isSilent && !connection.hasAnswered
    throw isStale ? unavailable(new WasStale('The connection was cut', { cause: error })) : error
  } finally {
    pool.giveBack(connection)
  }
}
