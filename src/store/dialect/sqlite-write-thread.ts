// Runs in a thread of its own and does all the writing to a SQLite file: waiting for locks, inserting,
// syncing and checkpointing never hold up a read. sqlite-writer.ts is the other end.
import type { Batch, Value } from './dialect.ts'
import { openDatabase } from './sqlite-file.ts'
import { answerRequests } from './sqlite-reply.ts'
import { SqliteStatements } from './sqlite-statements.ts'

export type WriteRequest =
  | { do: 'get' | 'all'; statement: string; values: Value[] }
  | { do: 'run'; batches: Batch[] }
  | { do: 'script'; statement: string }
  | { do: 'begin' | 'rollback' | 'close' }

/** Another process may be in the middle of a large import. */
const BUSY_TIMEOUT_MS = 60_000

/**
 * Some failures, a full disk among them, end a transaction by themselves. What was sent behind them must not be
 * stored on its own.
 */
function refuseOutside({ database }: SqliteStatements, request: WriteRequest): void {
  const needsNone = request.do === 'begin' || request.do === 'rollback' || request.do === 'close'
  if (!needsNone && !database.isTransaction) throw new Error('The transaction has ended by itself')
}

function perform(statements: SqliteStatements, request: WriteRequest): unknown {
  refuseOutside(statements, request)
  switch (request.do) {
    case 'begin':
      return statements.script('BEGIN IMMEDIATE')
    case 'get':
      return statements.get(request.statement, request.values)
    case 'all':
      return statements.all(request.statement, request.values)
    case 'run': {
      let changes = 0
      for (const [statement, rows] of request.batches) changes += statements.run(statement, rows)
      for (const [, rows] of request.batches) release(rows)
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

/** The bytes of a message are copies made for this thread: given back at once, a large import stays small. */
function release(rows: Value[][]): void {
  for (const value of rows.flat()) {
    if (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && !value.buffer.detached) {
      value.buffer.transfer(0)
    }
  }
}

answerRequests(
  (path) => new SqliteStatements(openDatabase(path, { readOnly: false, busyTimeoutMs: BUSY_TIMEOUT_MS })),
  perform,
)
