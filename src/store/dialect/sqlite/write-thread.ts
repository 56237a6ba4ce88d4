// Worker thread that does all writes to the SQLite file, so that locks, inserts, fsync and checkpoints never block
// reads. writer.ts sends the requests.
import type { Batch, Value } from '../dialect.ts'
import { openDatabase } from './file.ts'
import { SqliteStatements } from './statements.ts'
import { serveRequests } from './thread-messages.ts'

export type WriteRequest =
  | { operation: 'get' | 'all'; statement: string; values: Value[] }
  | { operation: 'run'; batches: Batch[] }
  | { operation: 'script'; statement: string }
  | { operation: 'begin' | 'rollback' | 'close' }

/** Another process can be running a large import. */
const BUSY_TIMEOUT_MS = 60_000

/**
 * Some failures, for example a full disk, make SQLite roll back the transaction. Requests that follow must not run
 * outside of it.
 */
function requireTransaction({ database }: SqliteStatements, request: WriteRequest): void {
  const isAllowedOutside =
    request.operation === 'begin' || request.operation === 'rollback' || request.operation === 'close'
  if (!isAllowedOutside && !database.isTransaction) throw new Error('SQLite has rolled back the transaction')
}

function handleRequest(statements: SqliteStatements, request: WriteRequest): unknown {
  requireTransaction(statements, request)
  switch (request.operation) {
    case 'begin':
      return statements.script('BEGIN IMMEDIATE')
    case 'get':
      return statements.get(request.statement, request.values)
    case 'all':
      return statements.all(request.statement, request.values)
    case 'run': {
      let changes = 0
      for (const [statement, rows] of request.batches) changes += statements.run(statement, rows)
      for (const [, rows] of request.batches) freeBuffers(rows)
      return changes
    }
    case 'script':
      return statements.script(request.statement)
    case 'rollback':
      return statements.rollback()
    case 'close':
      return statements.close()
  }
}

/** Frees the message's byte arrays at once, which keeps memory low during a large import. */
function freeBuffers(rows: Value[][]): void {
  for (const value of rows.flat()) {
    if (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && !value.buffer.detached) {
      value.buffer.transfer(0)
    }
  }
}

serveRequests(
  (path) => new SqliteStatements(openDatabase(path, { readOnly: false, busyTimeoutMs: BUSY_TIMEOUT_MS })),
  handleRequest,
)
