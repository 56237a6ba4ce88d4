// Write transactions of a SQLite store, one after the other, on a worker thread.
import type { Batch, Migration, SqlFragments, Transaction, Value, Writer } from '../dialect.ts'
import { joinStatement, SQL_FRAGMENTS } from './sql.ts'
import { SqliteThread } from './thread.ts'
import type { WriteRequest } from './write-thread.ts'

const WORKER_SCRIPT = new URL('./write-thread.ts', import.meta.url)

export async function openSqliteWriter(path: string): Promise<SqliteWriter> {
  return new SqliteWriter(await SqliteThread.start(WORKER_SCRIPT, path))
}

export class SqliteWriter implements Writer {
  readonly #thread: SqliteThread<WriteRequest>
  #lastTransaction: Promise<unknown> = Promise.resolve()

  constructor(thread: SqliteThread<WriteRequest>) {
    this.#thread = thread
  }

  transaction<Result>(work: (transaction: Transaction & Migration) => Promise<Result>): Promise<Result> {
    const transaction = this.#lastTransaction.then(() => this.#transact(work))
    this.#lastTransaction = transaction.catch(() => undefined)
    return transaction
  }

  /** Waits for the transactions in progress. */
  async close(): Promise<void> {
    await this.#lastTransaction
    await this.#thread.close({ operation: 'close' })
  }

  async #transact<Result>(work: (transaction: SqliteTransaction) => Promise<Result>): Promise<Result> {
    await this.#thread.send({ operation: 'begin' })
    try {
      const result = await work(new SqliteTransaction((request) => this.#thread.send(request)))
      await this.#thread.send({ operation: 'script', statement: 'COMMIT' })
      return result
    } catch (error) {
      await this.#thread.send({ operation: 'rollback' })
      throw error
    }
  }
}

class SqliteTransaction implements Transaction, Migration {
  readonly sql: SqlFragments = SQL_FRAGMENTS
  readonly #send: (request: WriteRequest) => Promise<unknown>

  constructor(send: (request: WriteRequest) => Promise<unknown>) {
    this.#send = send
  }

  get<Row>(statement: string, ...values: Value[]): Promise<Row | undefined> {
    return this.#send({ operation: 'get', statement, values }) as Promise<Row | undefined>
  }

  all<Row>(statement: string, ...values: Value[]): Promise<Row[]> {
    return this.#send({ operation: 'all', statement, values }) as Promise<Row[]>
  }

  async joinElements(statement: string, separator: string, ...values: number[]): Promise<Uint8Array> {
    const row = await this.get<{ bytes: Uint8Array | null }>(joinStatement(statement, separator), ...values)
    return row?.bytes ?? new Uint8Array()
  }

  async readNumbers(statement: string, ...values: Value[]): Promise<Float64Array> {
    const rows = await this.all<object>(statement, ...values)
    return Float64Array.from(rows, (row) => Object.values(row)[0] as number)
  }

  /** Does nothing, because SQLite has only one write transaction at a time. */
  async lock(): Promise<void> {}

  run(statement: string, ...values: Value[]): Promise<number> {
    return this.runMany([statement, [values]])
  }

  /** Sends one message for all batches, so that values they share are cloned once. */
  runMany(...batches: Batch[]): Promise<number> {
    return this.#send({ operation: 'run', batches }) as Promise<number>
  }

  async script(statement: string): Promise<void> {
    await this.#send({ operation: 'script', statement })
  }
}
