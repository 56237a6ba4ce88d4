// Runs transactions on a SQLite file, one after the other, in the thread that calls it: a worker thread, or the thread of a
// command.
import type { Batch, Read, Statement } from '../dialect.ts'
import type { SqliteConnection } from './connection.ts'
import { SqliteConnections } from './connections.ts'

export interface SessionOptions {
  path: string
  isReadOnly: boolean
  /** How long BEGIN waits for the transaction of another process. Default: a minute. */
  lockTimeoutMs?: number
}

/** `transaction` is the number of the transaction. */
export type SessionRequest =
  | { operation: 'begin'; transaction: number }
  | { operation: 'read'; transaction: number; read: Read }
  | { operation: 'run'; transaction: number; batches: Batch[] }
  | { operation: 'script'; transaction: number; statements: string }
  /** Runs the statements and commits. */
  | { operation: 'commit'; transaction: number; statements: Statement[] }
  /** Rolls back, unless the transaction was committed. */
  | { operation: 'end' }
  | { operation: 'close' }

export class SqliteSession {
  readonly #connections: SqliteConnections
  #open: { transaction: number; connection: SqliteConnection } | undefined

  /** Connects, so that a file that cannot be opened is reported at the start. Throws CommandError then. */
  constructor({ path, isReadOnly, lockTimeoutMs }: SessionOptions) {
    this.#connections = new SqliteConnections(path, {
      isReadOnly,
      maxIdle: 1,
      ...(lockTimeoutMs !== undefined && {
        // `checkpoint` copies the log. The cache has room for the indexes of 100,000 scenarios, whose pages change in any order.
        onOpen: `PRAGMA busy_timeout = ${lockTimeoutMs}; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -16384`,
      }),
      // Enough memory to sort and join a hundred thousand rows.
      ...(isReadOnly && {
        onOpen: 'PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY',
        onEnd: 'PRAGMA shrink_memory',
      }),
    })
    this.#connections.release(this.#connections.open())
  }

  handle(request: SessionRequest): unknown {
    switch (request.operation) {
      case 'begin':
        this.#open = { transaction: request.transaction, connection: this.#connections.begin() }
        return undefined
      case 'read':
        return this.#connectionOf(request).readNow(request.read)
      case 'run': {
        const connection = this.#connectionOf(request)
        return request.batches.reduce((sum, [statement, rows]) => sum + connection.run(statement, rows), 0)
      }
      case 'script':
        return this.#connectionOf(request).database.exec(request.statements)
      case 'commit': {
        const connection = this.#connectionOf(request)
        for (const [statement, ...values] of request.statements) connection.run(statement, [values])
        return connection.database.exec('COMMIT')
      }
      case 'end':
        return this.#end()
      case 'close':
        this.#end()
        return this.#connections.close()
    }
  }

  /** For a session with a lock timeout, after each transaction. */
  checkpoint(): void {
    this.#connections.checkpoint()
  }

  /** Some failures, for example a full disk, make SQLite roll back. Later statements must not run outside the transaction. */
  #connectionOf({ transaction }: { transaction: number }): SqliteConnection {
    const open = this.#open
    if (open?.transaction !== transaction || !open.connection.database.isTransaction)
      throw new Error('SQLite has rolled back the transaction')
    return open.connection
  }

  #end(): void {
    const open = this.#open
    this.#open = undefined
    if (open) this.#connections.release(open.connection)
  }
}
