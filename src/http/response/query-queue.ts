// Decides which queries run: a limited number at a time, in total and for each project and key, so that one client cannot
// delay the queries of others. The others wait, or are rejected if too many wait already.
import { Problem } from '../../errors.ts'
import { unavailableError } from '../../store/dialect/errors.ts'

/** Who sends a query. */
export interface QueryClient {
  project: number
  /** The public id of the key. */
  key: string
}

export interface QueryQueueOptions {
  /** How many queries run at the same time. */
  maxRunning: number
  /** How long a query can wait, and then run. */
  timeLimitMs: number
  /** The current time in milliseconds. */
  clock?: () => number
}

interface Query extends QueryClient {
  /** Undefined while the query waits. */
  startTime?: number
  start(): void
}

/** A key can have this many queries, running or waiting: as many as a browser sends to one host at the same time. */
const MAX_KEY_QUERIES = 6
/** It can have more of them if they are so fast that the next one would not wait for longer than this. */
const SHORT_WAIT_MS = 250
const MAX_FAST_KEY_QUERIES = 50
const MAX_PROJECT_QUERIES = 200
const MAX_QUERIES = 1000

/** The weight of the latest duration in the average. */
const LATEST_WEIGHT = 0.3

export class QueryQueue {
  readonly timeLimitMs: number
  readonly #clock: () => number
  readonly #maxRunning: number
  /** One less than all, so that a query of another project always finds a free place. */
  readonly #maxProjectRunning: number
  /** About half, so that other keys of the project, for example that of a page, do not wait for one key. */
  readonly #maxKeyRunning: number
  readonly #running = new Set<Query>()
  /** In order of arrival. */
  readonly #waiting = new Set<Query>()
  /** The average duration of recent queries, for keys that have queries here. */
  readonly #durations = new Map<string, number>()
  #rejectedCount = 0

  constructor({ maxRunning, timeLimitMs, clock = () => performance.now() }: QueryQueueOptions) {
    this.#maxRunning = maxRunning
    this.#maxProjectRunning = Math.max(1, maxRunning - 1)
    this.#maxKeyRunning = Math.max(1, Math.floor(maxRunning / 2))
    this.timeLimitMs = timeLimitMs
    this.#clock = clock
  }

  /** For the metrics of the service. */
  get counts(): { running: number; waiting: number; rejected: number } {
    return { running: this.#running.size, waiting: this.#waiting.size, rejected: this.#rejectedCount }
  }

  /**
   * Waits for the turn of the query and runs it. Throws too-many-queries or unavailable if too many queries wait, and the reason
   * of the signal if it aborts while the query waits.
   */
  async run<Result>(client: QueryClient, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const query: Query = { ...client, start: () => undefined }
    signal.throwIfAborted()
    if (this.#canStart(query)) this.#start(query)
    else await this.#wait(query, signal)
    try {
      return await work()
    } finally {
      this.#end(query)
    }
  }

  #canStart({ project, key }: QueryClient): boolean {
    const running = [...this.#running]
    return (
      running.length < this.#maxRunning &&
      running.filter((query) => query.project === project).length < this.#maxProjectRunning &&
      running.filter((query) => query.key === key).length < this.#maxKeyRunning
    )
  }

  #start(query: Query): void {
    this.#waiting.delete(query)
    query.startTime = this.#clock()
    this.#running.add(query)
    query.start()
  }

  #end(query: Query): void {
    this.#running.delete(query)
    const { key, startTime = 0 } = query
    const durationMs = this.#clock() - startTime
    const averageMs = this.#durations.get(key) ?? durationMs
    this.#durations.set(key, averageMs + LATEST_WEIGHT * (durationMs - averageMs))
    this.#startWaiting()
    if (this.#queries().every((other) => other.key !== key)) this.#durations.delete(key)
  }

  /** Starts the queries for which there is a place: of the project with the fewest running ones, then of such a key. */
  #startWaiting(): void {
    for (;;) {
      const count = (has: (query: Query) => boolean) => [...this.#running].filter(has).length
      const candidates = [...this.#waiting]
        .filter((query) => this.#canStart(query))
        .map((query) => ({
          query,
          ofProject: count(({ project }) => project === query.project),
          ofKey: count(({ key }) => key === query.key),
        }))
      const [next] = candidates.sort((a, b) => a.ofProject - b.ofProject || a.ofKey - b.ofKey)
      if (!next) return
      this.#start(next.query)
    }
  }

  async #wait(query: Query, signal: AbortSignal): Promise<void> {
    this.#rejectIfFull(query)
    const turn = Promise.withResolvers<void>()
    const leave = (error: unknown) => {
      this.#waiting.delete(query)
      turn.reject(error)
    }
    const onAbort = () => leave(signal.reason)
    const timer = setTimeout(() => leave(this.#waitedTooLong(query)), this.timeLimitMs).unref()
    signal.addEventListener('abort', onAbort, { once: true })
    query.start = turn.resolve
    this.#waiting.add(query)
    try {
      await turn.promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }

  #queries(): Query[] {
    return [...this.#running, ...this.#waiting]
  }

  #rejectIfFull({ project, key }: QueryClient): void {
    const queries = this.#queries()
    const ofProject = queries.filter((query) => query.project === project)
    const ofKey = ofProject.filter((query) => query.key === key)
    const keyWaitMs = this.#estimateWaitMs(ofKey, this.#maxKeyRunning)
    const isKeyFull = ofKey.length >= (keyWaitMs > SHORT_WAIT_MS ? MAX_KEY_QUERIES : MAX_FAST_KEY_QUERIES)
    if (isKeyFull) throw this.#tooManyQueries('this API key', ofKey.length, keyWaitMs)
    if (ofProject.length >= MAX_PROJECT_QUERIES) {
      const waitMs = this.#estimateWaitMs(ofProject, this.#maxProjectRunning)
      throw this.#tooManyQueries('this project', ofProject.length, waitMs)
    }
    if (queries.length < MAX_QUERIES) return
    const detail =
      'Too many filters, searches, summaries and comparisons of all clients are in progress. Try again shortly.'
    throw this.#rejected(unavailableError(undefined, this.#estimateWaitMs(queries, this.#maxRunning), detail))
  }

  #tooManyQueries(owner: string, count: number, waitMs: number): Problem {
    const detail = `${count} filters, searches, summaries or comparisons of ${owner} are in progress. Wait for their responses, and send fewer at the same time.`
    return this.#rejected(new Problem('too-many-queries', detail, { 'retry-after': toSeconds(waitMs) }))
  }

  #waitedTooLong({ project }: QueryClient): Problem {
    const ofProject = this.#queries().filter((query) => query.project === project)
    const detail = `The query waited longer than ${this.timeLimitMs / 1000} s (query-timeout) for other queries. Try again when fewer are in progress.`
    return this.#rejected(
      unavailableError(undefined, this.#estimateWaitMs(ofProject, this.#maxProjectRunning), detail),
    )
  }

  #rejected(problem: Problem): Problem {
    this.#rejectedCount += 1
    return problem
  }

  /** How long another query would wait, if each of these took as long as the slowest one has so far. */
  #estimateWaitMs(queries: Query[], maxRunning: number): number {
    const now = this.#clock()
    const durations = queries.map(({ key, startTime = now }) =>
      Math.max(now - startTime, this.#durations.get(key) ?? 0),
    )
    const waitingCount = queries.filter(({ startTime }) => startTime === undefined).length
    return Math.min(this.timeLimitMs, ((waitingCount + 1) * Math.max(0, ...durations)) / maxRunning)
  }
}

function toSeconds(ms: number): string {
  return String(Math.max(1, Math.ceil(ms / 1000)))
}
