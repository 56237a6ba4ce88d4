// Runs in a thread of its own and does all the writing to a SQLite file: waiting for locks, inserting,
// syncing and checkpointing never hold up a read. sqlite-writer.ts is the other end.
import { parentPort, workerData } from 'node:worker_threads'
import type { Batch, Value } from './dialect.ts'
import { openDatabase } from './sqlite-file.ts'
import { SqliteStatements } from './sqlite-statements.ts'

export type Request =
  | { do: 'get' | 'all'; statement: string; values: Value[] }
  | { do: 'run'; batches: Batch[] }
  | { do: 'script'; statement: string }
  | { do: 'begin' | 'rollback' | 'close' }

export type Reply = { value: unknown } | { error: { message: string; errcode?: number; hint?: string } }

/** Another process may be in the middle of a large import. */
const BUSY_TIMEOUT_MS = 60_000

/**
 * Some failures, a full disk among them, end a transaction by themselves. What was sent behind them must not be
 * stored on its own.
 */
function refuseOutside({ database }: SqliteStatements, request: Request): void {
  const needsNone = request.do === 'begin' || request.do === 'rollback' || request.do === 'close'
  if (!needsNone && !database.isTransaction) throw new Error('The transaction has ended by itself')
}

function perform(statements: SqliteStatements, request: Request): unknown {
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

/** Failures travel as plain values: what SQLite adds to an error does not survive being sent. */
function attempt(work: () => unknown): Reply {
  try {
    return { value: work() }
  } catch (error) {
    const { message, errcode, hint } = error as Error & { errcode?: number; hint?: string }
    return {
      error: { message, ...(errcode !== undefined && { errcode }), ...(hint !== undefined && { hint }) },
    }
  }
}

const port = parentPort
if (!port) throw new Error('sqlite-thread.ts is run as a thread')
let statements: SqliteStatements | undefined
port.postMessage(
  attempt(() => {
    const { path } = workerData as { path: string }
    statements = new SqliteStatements(openDatabase(path, { readOnly: false, busyTimeoutMs: BUSY_TIMEOUT_MS }))
  }),
)
port.on('message', (request: Request) => {
  port.postMessage(attempt(() => statements && perform(statements, request)))
  if (request.do === 'close') port.close()
})
