// A worker thread that runs transactions on a SQLite file: either all writes, or slow queries. thread.ts sends the
// requests. They are handled in order, with one reply each.
import { parentPort, workerData } from 'node:worker_threads'
import type { Batch, Read, Statement } from '../dialect.ts'
import { SqliteConnections } from './connections.ts'
import type { SqliteStatements } from './statements.ts'

export interface WorkerOptions {
  path: string
  isReadOnly: boolean
}

/** `transaction` is the number of the transaction; several can be open, each on its own connection. */
export type WorkerRequest =
  | { operation: 'begin'; transaction: number; statement: string }
  | { operation: 'read'; transaction: number; read: Read }
  | { operation: 'run'; transaction: number; batches: Batch[] }
  | { operation: 'script'; transaction: number; statement: string }
  /** Runs the statements and commits. */
  | { operation: 'commit'; transaction: number; statements: Statement[] }
  /** Rolls back, unless the transaction was committed. */
  | { operation: 'end'; transaction: number }
  | { operation: 'close' }

export type WorkerReply = { value: unknown } | { error: { message: string; errcode?: number; hint?: string } }

const { path, isReadOnly } = workerData as WorkerOptions
const connections = new SqliteConnections(path, {
  isReadOnly,
  maxIdle: 1,
  // Enough memory to sort and join a hundred thousand rows.
  ...(isReadOnly && {
    onOpen: 'PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY',
    onEnd: 'PRAGMA shrink_memory',
  }),
})
const openTransactions = new Map<number, SqliteStatements>()

function handleRequest(request: WorkerRequest): unknown {
  switch (request.operation) {
    case 'begin': {
      const statements = connections.acquire()
      openTransactions.set(request.transaction, statements)
      return statements.database.exec(request.statement)
    }
    case 'read':
      return getStatements(request.transaction).read(request.read)
    case 'run': {
      const statements = getStatements(request.transaction)
      let changes = 0
      for (const [statement, rows] of request.batches) changes += statements.run(statement, rows)
      return changes
    }
    case 'script':
      return getStatements(request.transaction).database.exec(request.statement)
    case 'commit': {
      const connection = getStatements(request.transaction)
      for (const [statement, ...values] of request.statements) connection.run(statement, [values])
      return connection.database.exec('COMMIT')
    }
    case 'end':
      return endTransaction(request.transaction)
    case 'close':
      for (const transaction of openTransactions.keys()) endTransaction(transaction)
      return connections.close()
  }
}

/** Some failures, for example a full disk, make SQLite roll back. Later statements must not run outside the transaction. */
function getStatements(transaction: number): SqliteStatements {
  const statements = openTransactions.get(transaction)
  if (!statements?.database.isTransaction) throw new Error('SQLite has rolled back the transaction')
  return statements
}

function endTransaction(transaction: number): void {
  const statements = openTransactions.get(transaction)
  openTransactions.delete(transaction)
  if (statements) connections.release(statements)
}

/** Transfers a byte array that uses its whole buffer, instead of copying it. */
function reply(work: () => unknown): void {
  try {
    const value = work()
    const ownsBuffer = ArrayBuffer.isView(value) && value.byteLength === value.buffer.byteLength
    parentPort?.postMessage(
      { value },
      ownsBuffer && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
    )
  } catch (error) {
    // A plain object: structured cloning drops the properties that SQLite adds to an Error.
    const { message, errcode, hint } = error as Error & { errcode?: number; hint?: string }
    parentPort?.postMessage({ error: { message, errcode, hint } })
  }
}

// Connects now, so that a file that cannot be opened is reported at the start.
reply(() => connections.release(connections.open()))
parentPort?.on('message', (request: WorkerRequest) => {
  reply(() => handleRequest(request))
  if (request.operation === 'close') parentPort?.close()
})
