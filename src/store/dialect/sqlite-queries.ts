// Snapshots for what takes long to find out, carried out by a thread so that nothing else waits for it. The thread
// starts when it is first needed.
import type { Connection, Value } from './dialect.ts'
import type { QueryRequest } from './sqlite-query-thread.ts'
import { SqliteThread } from './sqlite-thread.ts'
import { joinStatement, SQL } from './sqlite-words.ts'
import { unavailable } from './unavailable.ts'

const SCRIPT = new URL('./sqlite-query-thread.ts', import.meta.url)

type Thread = SqliteThread<QueryRequest>

/** Their statements take turns on one thread: more of them would only wait, and hold memory meanwhile. */
const MOST_OPEN = 4

export class SqliteQueries {
  readonly #path: string
  #thread: Promise<Thread> | undefined
  #count = 0
  #open = 0
  readonly #waiting: (() => void)[] = []

  constructor(path: string) {
    this.#path = path
  }

  async snapshot<Answer>(work: (snapshot: Connection) => Promise<Answer>): Promise<Answer> {
    if (this.#open >= MOST_OPEN) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#open += 1
    try {
      return await this.#snapshot(work)
    } finally {
      // Whoever waits takes the place over.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#open -= 1
    }
  }

  async #snapshot<Answer>(work: (snapshot: Connection) => Promise<Answer>): Promise<Answer> {
    const thread = await this.#started()
    this.#count += 1
    const snapshot = this.#count
    try {
      await thread.ask({ do: 'begin', snapshot })
      return await work(new QueryConnection(thread, snapshot))
    } catch (error) {
      // The next one starts another.
      throw thread.hasEnded ? unavailable(error) : error
    } finally {
      // Nobody waits for the end, and a thread that is gone has none.
      thread.ask({ do: 'end', snapshot }).catch(() => undefined)
    }
  }

  async close(): Promise<void> {
    const thread = await this.#thread?.catch(() => undefined)
    await thread?.close({ do: 'close' })
  }

  /** One that could not be started, or has ended, is tried again by the next. */
  async #started(): Promise<Thread> {
    const known = this.#thread
    const there = await known?.catch(() => undefined)
    // Unless another has started one meanwhile.
    if (there?.hasEnded && this.#thread === known) this.#thread = undefined
    this.#thread ??= SqliteThread.start<QueryRequest>(SCRIPT, this.#path)
    try {
      return await this.#thread
    } catch (error) {
      this.#thread = undefined
      throw unavailable(error)
    }
  }
}

class QueryConnection implements Connection {
  readonly sql = SQL
  readonly #thread: Thread
  readonly #snapshot: number

  constructor(thread: Thread, snapshot: number) {
    this.#thread = thread
    this.#snapshot = snapshot
  }

  get<Row>(statement: string, ...values: Value[]): Promise<Row | undefined> {
    return this.#ask('get', statement, values) as Promise<Row | undefined>
  }

  all<Row>(statement: string, ...values: Value[]): Promise<Row[]> {
    return this.#ask('all', statement, values) as Promise<Row[]>
  }

  join(statement: string, separator: string, ...values: number[]): Promise<Uint8Array> {
    return this.#ask('bytes', joinStatement(statement, separator), values) as Promise<Uint8Array>
  }

  numbers(statement: string, ...values: Value[]): Promise<Float64Array> {
    return this.#ask('numbers', statement, values) as Promise<Float64Array>
  }

  #ask(what: 'get' | 'all' | 'bytes' | 'numbers', statement: string, values: Value[]): Promise<unknown> {
    return this.#thread.ask({ do: what, snapshot: this.#snapshot, statement, values })
  }
}
