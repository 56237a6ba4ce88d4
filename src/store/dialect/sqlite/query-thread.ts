// Worker thread for slow queries: filters, searches, statistics and comparisons. Each snapshot has its own connection;
// statements run one after the other. query-client.ts sends the requests.
import type { Value } from '../dialect.ts'
import { openDatabase } from './file.ts'
import { SqliteStatements } from './statements.ts'
import { serveRequests } from './thread-messages.ts'

export type QueryRequest =
  | { operation: 'begin' | 'end'; snapshotId: number }
  | { operation: 'get' | 'all' | 'bytes' | 'numbers'; snapshotId: number; statement: string; values: Value[] }
  | { operation: 'close' }

/** A reader waits for a lock only while another process recovers the file after a crash. */
const BUSY_TIMEOUT_MS = 10_000
const MAX_IDLE_CONNECTIONS = 2

/** Enough memory to sort and join a hundred thousand rows. */
const MEMORY_PRAGMAS = 'PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY'

class Snapshots {
  readonly #path: string
  /** The connection of each open snapshot, by snapshot id. */
  readonly #connections = new Map<number, SqliteStatements>()
  readonly #idleConnections: SqliteStatements[] = []

  constructor(path: string) {
    this.#path = path
    // Connects now, so that a file that cannot be opened is reported at the start.
    this.#idleConnections.push(this.#connect())
  }

  begin(snapshotId: number): void {
    const statements = this.#idleConnections.pop() ?? this.#connect()
    statements.script('BEGIN')
    this.#connections.set(snapshotId, statements)
  }

  getStatements(snapshotId: number): SqliteStatements {
    const statements = this.#connections.get(snapshotId)
    if (!statements) throw new Error('Unknown snapshot')
    return statements
  }

  end(snapshotId: number): void {
    const statements = this.#connections.get(snapshotId)
    this.#connections.delete(snapshotId)
    statements?.rollback()
    if (!statements) return
    if (this.#idleConnections.length < MAX_IDLE_CONNECTIONS) {
      statements.script('PRAGMA shrink_memory')
      this.#idleConnections.push(statements)
    } else statements.close()
  }

  close(): void {
    for (const statements of [...this.#connections.values(), ...this.#idleConnections]) statements.close()
  }

  #connect(): SqliteStatements {
    const database = openDatabase(this.#path, { readOnly: true, busyTimeoutMs: BUSY_TIMEOUT_MS })
    database.exec(MEMORY_PRAGMAS)
    return new SqliteStatements(database)
  }
}

function handleRequest(snapshots: Snapshots, request: QueryRequest): unknown {
  switch (request.operation) {
    case 'begin':
      return snapshots.begin(request.snapshotId)
    case 'end':
      return snapshots.end(request.snapshotId)
    case 'close':
      return snapshots.close()
    case 'get':
      return snapshots.getStatements(request.snapshotId).get(request.statement, request.values)
    case 'all':
      return snapshots.getStatements(request.snapshotId).all(request.statement, request.values)
    case 'bytes': {
      const row = snapshots.getStatements(request.snapshotId).get(request.statement, request.values)
      return (row as { bytes: Uint8Array | null } | undefined)?.bytes ?? new Uint8Array()
    }
    case 'numbers':
      return snapshots.getStatements(request.snapshotId).readNumbers(request.statement, request.values)
  }
}

serveRequests((path) => new Snapshots(path), handleRequest)
