// Connections to a SQLite file, each used by one transaction at a time and then reused.
import { openDatabase } from './file.ts'
import { SqliteStatements } from './statements.ts'

/** A writer waits while another process runs a large import, a reader only while one recovers the file after a crash. */
const BUSY_TIMEOUT_MS = { writer: 60_000, reader: 10_000 }

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
  readonly #idleConnections: SqliteStatements[] = []
  #isClosed = false

  constructor(path: string, options: ConnectionOptions) {
    this.#path = path
    this.#options = options
  }

  /** Throws CommandError if the file cannot be opened. */
  open(): SqliteStatements {
    const { isReadOnly, onOpen } = this.#options
    const busyTimeoutMs = BUSY_TIMEOUT_MS[isReadOnly ? 'reader' : 'writer']
    const database = openDatabase(this.#path, { readOnly: isReadOnly, busyTimeoutMs })
    if (onOpen !== undefined) database.exec(onOpen)
    return new SqliteStatements(database)
  }

  /** Takes an idle connection, or opens one. */
  acquire(): SqliteStatements {
    return this.#idleConnections.pop() ?? this.open()
  }

  /** Rolls back, unless the transaction was committed. A connection that fails is closed; that is not an error. */
  release(connection: SqliteStatements): void {
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

  /** Closes the idle connections. Those in use are closed when they are released. */
  close(): void {
    this.#isClosed = true
    for (const connection of this.#idleConnections.splice(0)) connection.close()
  }
}
