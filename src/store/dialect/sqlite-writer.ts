// The writing side of a SQLite store, as the rest of the program sees it: transactions, one after the other,
// carried out by a thread.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { CommandError } from '../../errors.ts'
import type { Batch, Migration, SqlWords, Transaction, Value, Writer } from './dialect.ts'
import { asProblem } from './sqlite-errors.ts'
import type { Reply, Request } from './sqlite-thread.ts'
import { joinStatement, SQL } from './sqlite-words.ts'

export async function openSqliteWriter(path: string): Promise<SqliteWriter> {
  const worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), {
    workerData: { path },
    // Messages come and go; without a limit the thread would let tens of megabytes of them lie about.
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
  })
  const [opened] = (await once(worker, 'message')) as [Reply]
  if (!('error' in opened)) return new SqliteWriter(worker)
  await worker.terminate()
  const { message, hint } = opened.error
  throw hint === undefined ? new Error(message) : new CommandError(message, hint)
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: unknown): void
}

export class SqliteWriter implements Writer {
  readonly #worker: Worker
  /** Replies come in the order of the requests. */
  readonly #waiting: Waiting[] = []
  #last: Promise<unknown> = Promise.resolve()
  #failure: Error | undefined

  constructor(worker: Worker) {
    this.#worker = worker
    worker.on('message', (reply: Reply) => this.#settle(reply))
    worker.on('error', (error) => this.#fail(error as Error))
    worker.on('exit', () => this.#fail(new Error('The writing thread has ended')))
    worker.unref()
  }

  transaction<Answer>(work: (transaction: Transaction & Migration) => Promise<Answer>): Promise<Answer> {
    const next = this.#last.then(() => this.#transact(work))
    this.#last = next.catch(() => undefined)
    return next
  }

  /** Once the transactions that were begun are over. */
  async close(): Promise<void> {
    await this.#last
    if (this.#failure) return
    const exited = once(this.#worker, 'exit')
    await this.#ask({ do: 'close' })
    this.#worker.ref()
    await exited
  }

  async #transact<Answer>(work: (transaction: SqliteTransaction) => Promise<Answer>): Promise<Answer> {
    await this.#ask({ do: 'begin' })
    try {
      const answer = await work(new SqliteTransaction((request) => this.#ask(request)))
      await this.#ask({ do: 'script', statement: 'COMMIT' })
      return answer
    } catch (error) {
      await this.#ask({ do: 'rollback' })
      throw error
    }
  }

  #ask(request: Request): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#worker.ref()
      this.#worker.postMessage(request)
    })
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.shift()
    // An idle thread is no reason for the process to stay.
    if (this.#waiting.length === 0) this.#worker.unref()
    if ('error' in reply)
      waiting?.reject(asProblem(Object.assign(new Error(reply.error.message), reply.error)))
    else waiting?.resolve(reply.value)
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}

class SqliteTransaction implements Transaction, Migration {
  readonly sql: SqlWords = SQL
  readonly #ask: (request: Request) => Promise<unknown>

  constructor(ask: (request: Request) => Promise<unknown>) {
    this.#ask = ask
  }

  get<Row>(statement: string, ...values: Value[]): Promise<Row | undefined> {
    return this.#ask({ do: 'get', statement, values }) as Promise<Row | undefined>
  }

  all<Row>(statement: string, ...values: Value[]): Promise<Row[]> {
    return this.#ask({ do: 'all', statement, values }) as Promise<Row[]>
  }

  async join(statement: string, separator: string, ...values: number[]): Promise<Uint8Array> {
    const row = await this.get<{ bytes: Uint8Array | null }>(joinStatement(statement, separator), ...values)
    return row?.bytes ?? new Uint8Array()
  }

  /** There is no other one: a transaction begins when it is the only one that writes. */
  async lock(): Promise<void> {}

  run(statement: string, ...values: Value[]): Promise<number> {
    return this.runMany([statement, [values]])
  }

  /** One message for all of them: what they share is sent once. */
  runMany(...batches: Batch[]): Promise<number> {
    return this.#ask({ do: 'run', batches }) as Promise<number>
  }

  async script(statement: string): Promise<void> {
    await this.#ask({ do: 'script', statement })
  }
}
