// The writing side of a SQLite store, as the rest of the program sees it: transactions, one after the other,
// carried out by a thread.
import type { Batch, Migration, SqlWords, Transaction, Value, Writer } from './dialect.ts'
import { SqliteThread } from './sqlite-thread.ts'
import { joinStatement, SQL } from './sqlite-words.ts'
import type { WriteRequest } from './sqlite-write-thread.ts'

const SCRIPT = new URL('./sqlite-write-thread.ts', import.meta.url)

export async function openSqliteWriter(path: string): Promise<SqliteWriter> {
  return new SqliteWriter(await SqliteThread.start(SCRIPT, path))
}

export class SqliteWriter implements Writer {
  readonly #thread: SqliteThread<WriteRequest>
  #last: Promise<unknown> = Promise.resolve()

  constructor(thread: SqliteThread<WriteRequest>) {
    this.#thread = thread
  }

  transaction<Answer>(work: (transaction: Transaction & Migration) => Promise<Answer>): Promise<Answer> {
    const next = this.#last.then(() => this.#transact(work))
    this.#last = next.catch(() => undefined)
    return next
  }

  /** Once the transactions that were begun are over. */
  async close(): Promise<void> {
    await this.#last
    await this.#thread.close({ do: 'close' })
  }

  async #transact<Answer>(work: (transaction: SqliteTransaction) => Promise<Answer>): Promise<Answer> {
    await this.#thread.ask({ do: 'begin' })
    try {
      const answer = await work(new SqliteTransaction((request) => this.#thread.ask(request)))
      await this.#thread.ask({ do: 'script', statement: 'COMMIT' })
      return answer
    } catch (error) {
      await this.#thread.ask({ do: 'rollback' })
      throw error
    }
  }
}

class SqliteTransaction implements Transaction, Migration {
  readonly sql: SqlWords = SQL
  readonly #ask: (request: WriteRequest) => Promise<unknown>

  constructor(ask: (request: WriteRequest) => Promise<unknown>) {
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

  async numbers(statement: string, ...values: Value[]): Promise<Float64Array> {
    const rows = await this.all<object>(statement, ...values)
    return Float64Array.from(rows, (row) => Object.values(row)[0] as number)
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
