// Worker thread for slow queries: filters, searches, statistics and comparisons. Each snapshot has its own connection;
// statements run one after the other. query-client.ts sends the requests.
import type { Value } from '../dialect.ts'
import { openDatabase } from './file.ts'
import { SqliteStatements } from './statements.ts'
import { serveRequests } from './thread-messages.ts'

export type QueryRequest =
  | { operation: 'begin' | 'end'; snapshot: number }
  | { operation: 'get' | 'all' | 'bytes' | 'numbers'; snapshot: number; statement: string; values: Value[] }
  | { operation: 'close' }

/** A reader waits for a lock only while another process recovers the file after a crash. */
const BUSY_TIMEOUT_MS = 10_000
const MAX_IDLE_CONNECTIONS = 2

/** Enough memory to sort and join a hundred thousand rows. */
const MEMORY_PRAGMAS = 'PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY'

class Snapshots {
  readonly #path: string
  readonly #open = new Map<number, SqliteStatements>()
  readonly #idle: SqliteStatements[] = []

  constructor(path: string) {
    this.#path = path
    // Connects now, so that a file that cannot be opened is reported at the start.
    this.#idle.push(this.#connect())
  }

  begin(snapshot: number): void {
    const statements = this.#idle.pop() ?? this.#connect()
    statements.script('BEGIN')
    this.#open.set(snapshot, statements)
  }

  statementsOf(snapshot: number): SqliteStatements {
    const statements = this.#open.get(snapshot)
    if (!statements) throw new Error('Unknown snapshot')
    return statements
  }

  end(snapshot: number): void {
    const statements = this.#open.get(snapshot)
    this.#open.delete(snapshot)
    statements?.rollback()
    if (!statements) return
    if (this.#idle.length < MAX_IDLE_CONNECTIONS) {
      statements.script('PRAGMA shrink_memory')
      this.#idle.push(statements)
    } else statements.close()
  }

  close(): void {
    for (const statements of [...this.#open.values(), ...this.#idle]) statements.close()
  }

  #connect(): SqliteStatements {
    const database = openDatabase(this.#path, { readOnly: true, busyTimeoutMs: BUSY_TIMEOUT_MS })
    database.exec(MEMORY_PRAGMAS)
    return new SqliteStatements(database)
  }
}

function perform(snapshots: Snapshots, request: QueryRequest): unknown {
  switch (request.operation) {
    case 'begin':
      return snapshots.begin(request.snapshot)
    case 'end':
      return snapshots.end(request.snapshot)
    case 'close':
      return snapshots.close()
    case 'get':
      return snapshots.statementsOf(request.snapshot).get(request.statement, request.values)
    case 'all':
      return snapshots.statementsOf(request.snapshot).all(request.statement, request.values)
    case 'bytes': {
      const row = snapshots.statementsOf(request.snapshot).get(request.statement, request.values)
      return (row as { bytes: Uint8Array | null } | undefined)?.bytes ?? new Uint8Array()
    }
    case 'numbers':
      return snapshots.statementsOf(request.snapshot).numbers(request.statement, request.values)
  }
}

serveRequests((path) => new Snapshots(path), perform)
