// One connection to a PostgreSQL server: runs one transaction at a time, with statement timeouts.
import { hash } from 'node:crypto'
import { Socket } from 'node:net'
import pg from 'pg'
import { type Batch, type Read, type Statement, Transaction, type Value } from '../dialect.ts'
import { arrayInserts, parseInsert, TABLE_TYPES, type TableTypes } from './array-insert.ts'
import { ElementsQuery } from './elements-query.ts'
import { asProblem, ConnectionLost, isStatementTimeout, statementTimeoutError } from './errors.ts'
import { trackDriverBytes } from './garbage-collection.ts'
import {
  elementsQuery,
  inlineValues,
  insertStatements,
  numberedStatement,
  numbersStatement,
  parseNumbers,
  SQL_FRAGMENTS,
} from './sql.ts'

/** Short, so that an unreachable server does not delay requests for long. */
const CONNECT_TIMEOUT_MS = 2000
/** The server cancels a slow statement itself. If it sends nothing, the client times out this much later. */
const CLIENT_TIMEOUT_MARGIN_MS = 1000
/** Time limit for the response to a check of an idle connection. */
const CHECK_TIMEOUT_MS = 1000
/** Maximum duration of a graceful close. */
const CLOSE_TIMEOUT_MS = 1000
/** The server ends an idle transaction after this time, for example if this process is no longer reachable. */
const IDLE_TRANSACTION_MS = 3_600_000

/** Fewer rows are inserted with VALUES, which needs no column types. */
const MIN_ARRAY_ROWS = 10

const { builtins, getTypeParser } = pg.types

/** The driver returns bigint and numeric as text. Assay's sums and counts all fit a number. */
const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return oid === builtins.INT8 || oid === builtins.NUMERIC ? Number : getTypeParser(oid, format as 'text')
  },
}

/** A statement that was sent and has no response yet. */
interface PendingStatement {
  /** 0 means no limit. */
  limitMs: number
}

/** What differs between servers that are compatible with PostgreSQL. */
export interface ServerFeatures {
  hasBinaryCopy: boolean
}

export interface TransactionOptions {
  /** Time limit of each statement. 0 means no limit. */
  statementMs?: number
  /** The server ends the transaction if it is idle for longer. */
  idleMs?: number
  /** No statement reads after it is aborted. `backendPid` needs it. */
  signal?: AbortSignal | undefined
  /** The error of a statement that exceeds its limit. */
  timeoutError?: typeof statementTimeoutError
}

export class PostgresConnection extends Transaction {
  readonly sql = SQL_FRAGMENTS
  readonly #client: pg.Client
  readonly #socket: Socket
  readonly #onLost: (connection: PostgresConnection) => void
  readonly #features: Readonly<ServerFeatures>
  readonly #defaultStatementMs: number
  /** Time limit of a statement of the current transaction. 0 means no limit. */
  #statementMs: number
  #timeoutError = statementTimeoutError
  #signal: AbortSignal | undefined
  #beginPromise: Promise<unknown> = Promise.resolve()
  #copyPromise: Promise<unknown> | undefined
  /** Size of the last elements that were read in the current transaction. */
  #elementsBytes = 0
  /** In order. The server executes the first one; the others wait for it. */
  readonly #pendingStatements = new Set<PendingStatement>()
  #timer: NodeJS.Timeout | undefined
  readonly #tableTypes = new Map<string, TableTypes>()
  /** Bytes sent and received until the last response. */
  #trackedBytes = 0
  #hasTimedOut = false
  /** Whether the connection has ended or failed. */
  isLost = false
  /** Whether the server has responded since the pool lent the connection. */
  hasResponded = false

  private constructor(
    url: string,
    statementMs: number,
    features: ServerFeatures,
    onLost: (connection: PostgresConnection) => void,
  ) {
    super()
    this.#features = features
    this.#socket = new Socket()
    this.#client = new pg.Client({
      connectionString: url,
      application_name: 'assay',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // Sends statements without waiting for the results of earlier ones.
      pipeline: true,
      stream: () => this.#socket,
      types: TYPES,
    } as pg.ClientConfig)
    this.#defaultStatementMs = statementMs
    this.#statementMs = statementMs
    this.#onLost = onLost
    // Without a listener, an error on an idle connection would end the process.
    this.#client.on('error', () => this.#markLost())
    this.#client.on('end', () => this.#markLost())
  }

  /** `onLost` is called once, also when the connection is idle. */
  static async open(
    url: string,
    statementMs: number,
    features: ServerFeatures,
    onLost: (connection: PostgresConnection) => void,
  ): Promise<PostgresConnection> {
    const connection = new PostgresConnection(url, statementMs, features, onLost)
    await connection.#connect()
    return connection
  }

  async #connect(): Promise<void> {
    const timer = setTimeout(() => this.#timeOut(), CONNECT_TIMEOUT_MS)
    try {
      await this.#client.connect()
    } catch (error) {
      // Other errors, such as a missing password, leave the socket open.
      const isLost = this.#socket.destroyed && !(error instanceof pg.DatabaseError)
      this.destroy()
      throw isLost ? toConnectionLost(error) : error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Whether the connection was already lost when the pool lent it. Another one can work. */
  get isStale(): boolean {
    return this.isLost && !this.#hasTimedOut && !this.hasResponded
  }

  /**
   * Begins a transaction that lasts until `end`. It does not wait: the next statement is sent at once and rejects if
   * BEGIN fails.
   */
  begin(mode: string, options: TransactionOptions = {}): void {
    const { statementMs = this.#defaultStatementMs, idleMs = IDLE_TRANSACTION_MS } = options
    this.#statementMs = statementMs
    this.changes = []
    this.#elementsBytes = 0
    this.#timeoutError = options.timeoutError ?? statementTimeoutError
    this.#signal = options.signal
    const readPid = options.signal ? '; SELECT pg_backend_pid() AS pid' : ''
    const begin = `BEGIN ${mode}; SET LOCAL statement_timeout = ${statementMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleMs}${readPid}`
    this.#beginPromise = this.#send(() => this.#client.query(begin))
    this.#beginPromise.catch(() => undefined)
  }

  /** The process of the server that runs the current transaction. Behind PgBouncer it changes with each transaction. */
  async backendPid(): Promise<number> {
    const results = (await this.#beginPromise) as pg.QueryResult<{ pid: number }>[]
    return results.at(-1)?.rows[0]?.pid ?? 0
  }

  /**
   * Ends the transaction after the last statements, in one message. If one of them fails, the server does not run COMMIT.
   * COMMIT of a failed transaction rolls back without an error; only its command tag shows it.
   */
  async end(command: 'COMMIT' | 'ROLLBACK', lastStatements: Statement[] = []): Promise<void> {
    const results = [await this.#query([...lastStatements.map(inlineValues), command].join('; '))].flat()
    if (results.at(-1)?.command !== command) throw new Error('The transaction was rolled back')
  }

  async read(read: Read): Promise<unknown> {
    this.#signal?.throwIfAborted()
    if (read.returns === 'elements')
      return this.#readElements(elementsQuery(read.statement, read.values), read.separator)
    const isNumbers = read.returns === 'numbers'
    const statement = isNumbers ? numbersStatement(read.statement) : read.statement
    const { rows } = await this.#query(numberedStatement(statement), read.values)
    if (isNumbers) return parseNumbers(rows[0].numbers)
    return read.returns === 'row' ? rows[0] : rows
  }

  override async run(statement: string, ...values: Value[]): Promise<number> {
    return (await this.#query(numberedStatement(statement), values)).rowCount ?? 0
  }

  /** Sends all statements without waiting in between. */
  async runMany(...batches: Batch[]): Promise<number> {
    await this.#loadTableTypes(batches)
    const queries: Promise<pg.QueryResult>[] = []
    // Each statement is sent before the next one is encoded, so that the server starts early.
    for (const batch of batches)
      for (const { text, values } of this.#insertStatements(batch)) queries.push(this.#query(text, values))
    const results = await Promise.all(queries)
    return results.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0)
  }

  #insertStatements([statement, rows]: Batch): Iterable<{ text: string; values: Value[] }> {
    const insert = rows.length < MIN_ARRAY_ROWS ? undefined : parseInsert(statement)
    const types = insert && this.#tableTypes.get(insert.table)
    return (types && arrayInserts(insert, types, rows)) ?? insertStatements(statement, rows)
  }

  /** Reads the column types of tables that get many rows for the first time on this connection. */
  async #loadTableTypes(batches: Batch[]): Promise<void> {
    const large = batches.filter(([, rows]) => rows.length >= MIN_ARRAY_ROWS)
    const tables = new Set(large.flatMap(([statement]) => parseInsert(statement)?.table ?? []))
    const missing = [...tables].filter((table) => !this.#tableTypes.has(table))
    if (missing.length === 0) return
    const results = await Promise.all(missing.map((table) => this.#query(TABLE_TYPES, [table])))
    for (const [index, { rows }] of results.entries())
      this.#tableTypes.set(missing[index] ?? '', new Map(rows.map(({ name, type }) => [name, type])))
  }

  /** Advisory locks are numbers, so the name is hashed. A collision only makes two transactions wait for each other. */
  async lock(...name: (string | number)[]): Promise<void> {
    const lockNumber = hash('sha256', JSON.stringify(name), 'buffer').readBigInt64BE()
    await this.#query('SELECT pg_advisory_xact_lock($1)', [String(lockNumber)])
  }

  async script(statements: string): Promise<void> {
    await this.#query(statements)
  }

  async #query(text: string, values?: Value[]): Promise<pg.QueryResult> {
    const resultPromise = this.#send(() => this.#client.query(text, values))
    const [result] = await Promise.all([resultPromise, this.#beginPromise])
    return result
  }

  async #readElements(query: string, separator: string): Promise<Uint8Array> {
    const { hasBinaryCopy } = this.#features
    const bytesPromise = this.#send(() => {
      const elementsQuery = new ElementsQuery(query, separator, hasBinaryCopy, this.#elementsBytes)
      const { bytes } = this.#client.query(elementsQuery)
      if (!hasBinaryCopy) return bytes
      const clearCopy = () => {
        this.#copyPromise = undefined
      }
      this.#copyPromise = bytes.then(clearCopy, clearCopy)
      return bytes
    })
    const [bytes] = await Promise.all([bytesPromise, this.#beginPromise])
    this.#elementsBytes = bytes.length
    return bytes
  }

  /** Whether the server still responds on this connection. */
  async check(): Promise<boolean> {
    try {
      await this.#send(() => this.#client.query('SELECT 1'), CHECK_TIMEOUT_MS)
      return !this.isLost
    } catch {
      return false
    }
  }

  async #send<Result>(start: () => Promise<Result>, limitMs = this.#statementMs): Promise<Result> {
    // PgBouncer cannot match pipelined results after a COPY.
    while (this.#copyPromise) await this.#copyPromise
    const timeoutError = this.#timeoutError
    const statement: PendingStatement = { limitMs }
    this.#pendingStatements.add(statement)
    if (this.#pendingStatements.size === 1) this.#startFirst()
    try {
      const result = await start()
      this.hasResponded = true
      return result
    } catch (error) {
      const isServerError = error instanceof pg.DatabaseError
      // A FATAL error arrives before the driver reports the end of the connection.
      if (isServerError && error.severity === 'FATAL') this.#markLost()
      if (isStatementTimeout(error) && limitMs > 0) throw timeoutError(error, limitMs)
      throw asProblem(this.isLost && !isServerError ? toConnectionLost(error) : error)
    } finally {
      const [first] = this.#pendingStatements
      this.#pendingStatements.delete(statement)
      if (first === statement) this.#startFirst()
      this.#trackBytes()
    }
  }

  /** Starts the time limit of the first pending statement: the server executes it now. */
  #startFirst(): void {
    clearTimeout(this.#timer)
    const [first] = this.#pendingStatements
    if (first) this.#watch(first)
  }

  /**
   * The server enforces the limit. This detects a server that sends nothing, not even the error, and a connection that
   * was lost without notice.
   */
  #watch(statement: PendingStatement): void {
    if (statement.limitMs === 0) return
    const { bytesRead } = this.#socket
    const check = () => {
      const [first] = this.#pendingStatements
      if (first !== statement) return
      if (this.#socket.bytesRead === bytesRead) this.#timeOut()
      else this.#watch(statement)
    }
    // If this process was busy, the response can have arrived already. setImmediate runs after it was read.
    this.#timer = setTimeout(() => setImmediate(check), statement.limitMs + CLIENT_TIMEOUT_MARGIN_MS)
  }

  #trackBytes(): void {
    const bytes = this.#socket.bytesRead + this.#socket.bytesWritten
    trackDriverBytes(bytes - this.#trackedBytes)
    this.#trackedBytes = bytes
  }

  #timeOut(): void {
    this.#hasTimedOut = true
    this.#socket.destroy(new ConnectionLost('The server did not respond in time'))
  }

  #markLost(): void {
    if (this.isLost) return
    this.isLost = true
    this.#onLost(this)
  }

  async close(): Promise<void> {
    const timer = setTimeout(() => this.destroy(), CLOSE_TIMEOUT_MS)
    await this.#client.end().catch(() => undefined)
    clearTimeout(timer)
  }

  /** Closes the socket at once. Statements in progress fail. */
  destroy(): void {
    this.#socket.destroy()
  }
}

function toConnectionLost(error: unknown): ConnectionLost {
  return error instanceof ConnectionLost
    ? error
    : new ConnectionLost('The connection was lost', { cause: error })
}
