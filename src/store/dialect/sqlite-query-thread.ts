// Runs in a thread of its own and answers what takes long to find out: filters, searches, statistics and
// comparisons. Each snapshot has a connection; their statements run one after the other. sqlite-queries.ts is the
// other end.
import type { Value } from './dialect.ts'
import { openDatabase } from './sqlite-file.ts'
import { answerRequests } from './sqlite-reply.ts'
import { SqliteStatements } from './sqlite-statements.ts'

export type QueryRequest =
  | { do: 'begin' | 'end'; snapshot: number }
  | { do: 'get' | 'all' | 'bytes' | 'numbers'; snapshot: number; statement: string; values: Value[] }
  | { do: 'close' }

/** A reader waits for a lock only while another process brings a crashed store in order. */
const BUSY_TIMEOUT_MS = 10_000
const IDLE_CONNECTIONS = 2

/** Sorting and joining a hundred thousand rows stays in memory. */
const WORKING_MEMORY = 'PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY'

class Snapshots {
  readonly #path: string
  readonly #open = new Map<number, SqliteStatements>()
  readonly #idle: SqliteStatements[] = []

  constructor(path: string) {
    this.#path = path
    // What keeps the file from being opened is found out before anything is asked.
    this.#idle.push(this.#connect())
  }

  begin(snapshot: number): void {
    const statements = this.#idle.pop() ?? this.#connect()
    statements.script('BEGIN')
    this.#open.set(snapshot, statements)
  }

  of(snapshot: number): SqliteStatements {
    const statements = this.#open.get(snapshot)
    if (!statements) throw new Error('There is no such snapshot')
    return statements
  }

  end(snapshot: number): void {
    const statements = this.#open.get(snapshot)
    this.#open.delete(snapshot)
    statements?.rollback()
    if (!statements) return
    if (this.#idle.length < IDLE_CONNECTIONS) {
      statements.script('PRAGMA shrink_memory')
      this.#idle.push(statements)
    } else statements.close()
  }

  close(): void {
    for (const statements of [...this.#open.values(), ...this.#idle]) statements.close()
  }

  #connect(): SqliteStatements {
    const database = openDatabase(this.#path, { readOnly: true, busyTimeoutMs: BUSY_TIMEOUT_MS })
    database.exec(WORKING_MEMORY)
    return new SqliteStatements(database)
  }
}

function perform(snapshots: Snapshots, request: QueryRequest): unknown {
  switch (request.do) {
    case 'begin':
      return snapshots.begin(request.snapshot)
    case 'end':
      return snapshots.end(request.snapshot)
    case 'close':
      return snapshots.close()
    case 'get':
      return snapshots.of(request.snapshot).get(request.statement, request.values)
    case 'all':
      return snapshots.of(request.snapshot).all(request.statement, request.values)
    case 'bytes': {
      const row = snapshots.of(request.snapshot).get(request.statement, request.values)
      return (row as { bytes: Uint8Array | null } | undefined)?.bytes ?? new Uint8Array()
    }
    case 'numbers':
      return snapshots.of(request.snapshot).numbers(request.statement, request.values)
  }
}

answerRequests((path) => new Snapshots(path), perform)
