// One connection to a PostgreSQL server: runs one transaction at a time, with statement timeouts.
import pg from 'pg'
import type { Connection, Value } from '../dialect.ts'
import { CopyOutQuery } from './copy-out.ts'
import { asProblem } from './errors.ts'
import { elementsQuery, numberedStatement, numbersStatement, parseNumbers, SQL_FRAGMENTS } from './sql.ts'

/** Short, so that an unreachable server does not delay requests for long. */
const CONNECT_TIMEOUT_MS = 2000
/** The server cancels a slow statement itself. If it does not respond, the client times out this much later. */
const CLIENT_TIMEOUT_MARGIN_MS = 500
/** Maximum duration of a graceful close. */
const CLOSE_TIMEOUT_MS = 1000

const { builtins, getTypeParser } = pg.types

/** The driver returns bigint and numeric as text. Assay's sums and counts all fit a number. */
const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return oid === builtins.INT8 || oid === builtins.NUMERIC ? Number : getTypeParser(oid, format as 'text')
  },
}

export class PostgresConnection implements Connection {
  readonly sql = SQL_FRAGMENTS
  readonly #client: pg.Client
  readonly #statementMs: number
  readonly #onLost: (connection: PostgresConnection) => void
  #beginPromise: Promise<unknown> = Promise.resolve()
  #copyPromise: Promise<void> | undefined
  /** Statements that were sent and have no response yet. */
  #pendingCount = 0
  /** Whether the connection has ended or failed. */
  isLost = false
  /** Whether a statement got no response within the client timeout. */
  hasTimedOut = false
  /** Whether the server has responded since the pool lent the connection. If not, a lost one was already stale. */
  hasResponded = false

  private constructor(
    client: pg.Client,
    statementMs: number,
    onLost: (connection: PostgresConnection) => void,
  ) {
    this.#client = client
    this.#statementMs = statementMs
    this.#onLost = onLost
  }

  /** `onLost` is called once, also when the connection is idle. */
  static async open(
    url: string,
    statementMs: number,
    onLost: (connection: PostgresConnection) => void,
  ): Promise<PostgresConnection> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'assay',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // Sends statements without waiting for the results of earlier ones.
      pipeline: true,
      types: TYPES,
    } as pg.ClientConfig)
    const connection = new PostgresConnection(client, statementMs, onLost)
    // Without a listener, an error on an idle connection would end the process.
    client.on('error', () => connection.#markLost())
    client.on('end', () => connection.#markLost())
    await client.connect()
    return connection
  }

  /**
   * Begins a transaction that lasts until `end`. It does not wait: the next statement is sent at once and rejects if
   * BEGIN fails.
   */
  begin(mode: string, limits: { statementMs: number; idleMs: number } = this.#defaultLimits): void {
    const begin = `BEGIN ${mode}; SET LOCAL statement_timeout = ${limits.statementMs}; SET LOCAL idle_in_transaction_session_timeout = ${limits.idleMs}`
    this.#beginPromise = this.#send(begin, undefined, limits.statementMs)
    this.#beginPromise.catch(() => undefined)
  }

  /** COMMIT of a failed transaction rolls back without an error; only its command tag shows it. */
  async end(command: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    const result = await this.query(command)
    if (result.command !== command) throw new Error('The transaction was rolled back')
  }

  async get<Row>(statement: string, ...values: Value[]): Promise<Row | undefined> {
    return (await this.query(numberedStatement(statement), values)).rows[0] as Row | undefined
  }

  async all<Row>(statement: string, ...values: Value[]): Promise<Row[]> {
    return (await this.query(numberedStatement(statement), values)).rows as Row[]
  }

  async joinElements(statement: string, separator: string, ...values: number[]): Promise<Uint8Array> {
    const query = elementsQuery(statement, values)
    const bytesPromise = this.#afterCopy(() => this.#copy(query, separator))
    const [bytes] = await Promise.all([this.#trackResponse(bytesPromise), this.#beginPromise])
    return bytes
  }

  async readNumbers(statement: string, ...values: Value[]): Promise<Float64Array> {
    const row = await this.get<{ numbers: string }>(numbersStatement(statement), ...values)
    return parseNumbers(row?.numbers ?? '')
  }

  #copy(query: string, separator: string): Promise<Uint8Array> {
    const bytesPromise = new Promise<Uint8Array>((resolve, reject) => {
      const done = (error: Error | undefined, bytes: Uint8Array) => (error ? reject(error) : resolve(bytes))
      this.#client.query(
        new CopyOutQuery(query, separator, this.#statementMs + CLIENT_TIMEOUT_MARGIN_MS, done),
      )
    })
    const clearCopy = () => {
      this.#copyPromise = undefined
    }
    this.#copyPromise = bytesPromise.then(clearCopy, clearCopy)
    return bytesPromise
  }

  /** Sends nothing while a COPY is running: PgBouncer cannot match pipelined results after a COPY. */
  async #afterCopy<Result>(send: () => Promise<Result>): Promise<Result> {
    while (this.#copyPromise) await this.#copyPromise
    return send()
  }

  /** Uses `$1`-style placeholders. A `timeoutMs` of 0 means no timeout. */
  async query(text: string, values?: Value[], timeoutMs = this.#statementMs): Promise<pg.QueryResult> {
    const resultPromise = this.#send(text, values, timeoutMs)
    const [result] = await Promise.all([resultPromise, this.#beginPromise])
    return result
  }

  /** A statement waits on the server for those that were sent before it, and each of them has its own timeout. */
  #send(text: string, values: Value[] | undefined, timeoutMs: number): Promise<pg.QueryResult> {
    const clientMs = timeoutMs * (this.#pendingCount + 1) + CLIENT_TIMEOUT_MARGIN_MS
    const timeoutOption = timeoutMs === 0 ? {} : { query_timeout: clientMs }
    return this.#trackResponse(
      this.#afterCopy(() => this.#client.query({ text, ...(values && { values }), ...timeoutOption })),
    )
  }

  async #trackResponse<Result>(response: Promise<Result>): Promise<Result> {
    this.#pendingCount += 1
    try {
      const result = await response
      this.hasResponded = true
      return result
    } catch (error) {
      if ((error as Error).message === 'Query read timeout') this.hasTimedOut = true
      // A FATAL error arrives before the driver reports the end of the connection.
      if ((error as pg.DatabaseError).severity === 'FATAL') this.#markLost()
      throw asProblem(error)
    } finally {
      this.#pendingCount -= 1
    }
  }

  get #defaultLimits() {
    return { statementMs: this.#statementMs, idleMs: IDLE_TRANSACTION_MS }
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
    const { connection } = this.#client as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
  }
}

/** The server ends an idle transaction after this time, for example if this process is no longer reachable. */
const IDLE_TRANSACTION_MS = 3_600_000
