// Connections to a SQLite file, each used by one transaction at a time and then reused.
import { SqliteConnection } from './connection.ts'
import { openDatabase } from './file.ts'

/** The default of SQLite for checkpoints in COMMIT. */
const CHECKPOINT_PAGES = 1000

interface ConnectionOptions {
  isReadOnly: boolean
  maxIdle: number
  /** Runs on each new connection. */
  onOpen?: string
  /** Runs after each transaction. */
  onEnd?: string
}

export class SqliteConnections {
  readonly #path: string
  readonly #options: ConnectionOptions
  readonly #idleConnections: SqliteConnection[] = []
  #isClosed = false

  constructor(path: string, options: ConnectionOptions) {
    this.#path = path
    this.#options = options
  }

  /** Throws CommandError if the file cannot be opened. */
  open(): SqliteConnection {
    const { isReadOnly, onOpen } = this.#options
    const database = openDatabase(this.#path, { readOnly: isReadOnly })
    if (onOpen !== undefined) database.exec(onOpen)
    return new SqliteConnection(this.#path, database)
  }

  /** Begins a transaction on an idle connection or a new one. */
  begin(): SqliteConnection {
    const connection = this.#idleConnections.pop() ?? this.open()
    try {
      connection.database.exec(this.#options.isReadOnly ? 'BEGIN' : 'BEGIN IMMEDIATE')
      return connection
    } catch (error) {
      this.release(connection)
      throw error
    }
  }

  /** Rolls back, unless the transaction was committed. A connection that fails is closed; that is not an error. */
  release(connection: SqliteConnection): void {
    const { maxIdle, onEnd } = this.#options
    try {
      connection.rollback()
      if (onEnd !== undefined) connection.database.exec(onEnd)
      if (this.#isClosed || this.#idleConnections.length >= maxIdle) connection.close()
      else this.#idleConnections.push(connection)
    } catch {
      connection.close()
    }
  }

  /** Copies the log into the file as soon as COMMIT would do it. Node 24 has no NOOP, and always copies. Not urgent, so that errors are ignored. */
  checkpoint(): void {
    const database = this.#idleConnections.at(-1)?.database
    try {
      const { log, checkpointed } = database?.prepare('PRAGMA wal_checkpoint(NOOP)').get() ?? {}
      if (Number(log) - Number(checkpointed) >= CHECKPOINT_PAGES) database?.exec('PRAGMA wal_checkpoint')
    } catch {}
  }

  /** Closes the idle connections. Those in use are closed when they are released. */
  close(): void {
    this.#isClosed = true
    for (const connection of this.#idleConnections.splice(0)) connection.close()
  }
}
