// A worker thread that runs transactions on a SQLite file: either all writes, or slow queries. thread.ts sends the
// requests. They are handled in order, with one reply each.
import { parentPort, workerData } from 'node:worker_threads'
import { Problem, type ProblemData } from '../../../errors.ts'
import { BaseConnection } from '../base-connection.ts'
import type { Batch, Change, Read, SessionModule, Statement, Transaction, Value } from '../dialect.ts'
import { SqliteConnections } from './connections.ts'
import { SQL_FRAGMENTS } from './sql.ts'
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
  /** Opens a session. Returns a SessionReply, like `call`. */
  | { operation: 'open'; transaction: number; session: number; module: string; options: unknown }
  | { operation: 'call'; session: number; method: string; bytes: Uint8Array<ArrayBuffer> | undefined }
  /** Runs the statements and commits. */
  | { operation: 'commit'; transaction: number; statements: Statement[] }
  /** Rolls back, unless the transaction was committed. */
  | { operation: 'end'; transaction: number }
  | { operation: 'close' }

export type WorkerReply =
  | { value: unknown }
  | { error: { message: string; errcode?: number; hint?: string; problem?: ProblemData } }

/** What a session returned, and the changes that it recorded meanwhile. */
export interface SessionReply {
  value: unknown
  changes: Change[]
}

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
const sessions = new Map<number, Session>()

interface Session {
  transaction: SessionTransaction
  object: Awaited<ReturnType<SessionModule['open']>>
}

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
      for (const [, rows] of request.batches) freeBuffers(rows)
      return changes
    }
    case 'open':
      return openSession(request)
    case 'call':
      return callSession(request)
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
  sessions.clear()
  if (statements) connections.release(statements)
}

async function openSession({
  transaction: number,
  session,
  module,
  options,
}: Extract<WorkerRequest, { operation: 'open' }>): Promise<SessionReply> {
  const { open } = (await import(module)) as SessionModule
  const transaction = new SessionTransaction(number)
  sessions.set(session, { transaction, object: await open(transaction, options) })
  return { value: undefined, changes: transaction.takeChanges() }
}

async function callSession({
  session,
  method,
  bytes = new Uint8Array(),
}: Extract<WorkerRequest, { operation: 'call' }>): Promise<SessionReply> {
  const { transaction, object } = sessions.get(session) ?? {}
  const value = await object?.[method]?.(bytes)
  // Frees the message at once, which keeps memory low during a large import.
  if (!bytes.buffer.detached) bytes.buffer.transfer(0)
  return { value, changes: transaction?.takeChanges() ?? [] }
}

/** The transaction of a session: runs statements directly. */
class SessionTransaction extends BaseConnection implements Transaction {
  readonly sql = SQL_FRAGMENTS
  readonly #number: number
  #changes: Change[] = []

  constructor(number: number) {
    super()
    this.#number = number
  }

  async read(read: Read): Promise<unknown> {
    return getStatements(this.#number).read(read)
  }

  run(statement: string, ...values: Value[]): Promise<number> {
    return this.runMany([statement, [values]])
  }

  async runMany(...batches: Batch[]): Promise<number> {
    const statements = getStatements(this.#number)
    let changes = 0
    for (const [statement, rows] of batches) changes += statements.run(statement, rows)
    return changes
  }

  async lock(): Promise<void> {}

  recordChange(change: Change): void {
    this.#changes.push(change)
  }

  takeChanges(): Change[] {
    const changes = this.#changes
    this.#changes = []
    return changes
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

/** Transfers a byte array that uses its whole buffer, instead of copying it. */
async function reply(work: () => unknown): Promise<void> {
  try {
    const value = await work()
    const ownsBuffer = ArrayBuffer.isView(value) && value.byteLength === value.buffer.byteLength
    parentPort?.postMessage(
      { value },
      ownsBuffer && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
    )
  } catch (error) {
    // A plain object: structured cloning drops the properties that SQLite adds to an Error.
    const { message, errcode, hint } = error as Error & { errcode?: number; hint?: string }
    const problem = error instanceof Problem ? error.toData() : undefined
    parentPort?.postMessage({ error: { message, errcode, hint, problem } })
  }
}

// Connects now, so that a file that cannot be opened is reported at the start.
let lastReply = reply(() => connections.release(connections.open()))
parentPort?.on('message', (request: WorkerRequest) => {
  // A session can wait for an import of a module.
  lastReply = lastReply.then(async () => {
    await reply(() => handleRequest(request))
    if (request.operation === 'close') parentPort?.close()
  })
})
