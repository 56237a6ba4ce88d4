// One connection to a PostgreSQL server: transactions, one after the other, and statements with a deadline.
import pg from 'pg'
import type { Connection, Value } from './dialect.ts'
import { CopiedTexts } from './postgres-copy.ts'
import { asProblem } from './postgres-errors.ts'
import { elementsQuery, numberedStatement, numbersStatement, readNumbers, SQL } from './postgres-words.ts'

/** A server that is there answers within this; one that is not must not keep anybody waiting for long. */
const CONNECT_MS = 2000
/** The server ends a statement that takes too long; where nothing is heard of it, so much later we do. */
const GRACE_MS = 500
/** How long the last words may take when a connection is closed. */
const GOODBYE_MS = 1000

const { builtins, getTypeParser } = pg.types

/** Sums and counts come as texts unless they are read as numbers; none of ours is too large for one. */
const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return oid === builtins.INT8 || oid === builtins.NUMERIC ? Number : getTypeParser(oid, format as 'text')
  },
}

export class PostgresConnection implements Connection {
  readonly sql = SQL
  readonly #client: pg.Client
  readonly #statementMs: number
  readonly #onLost: (connection: PostgresConnection) => void
  #begun: Promise<unknown> = Promise.resolve()
  #copying: Promise<void> | undefined
  /** Whether it is of no more use. */
  isLost = false
  /** Whether it was given up because nothing was heard of it. */
  isSilent = false
  /** Whether anything was heard since it was last taken: one that is lost before may have been lost long ago. */
  hasAnswered = false

  private constructor(
    client: pg.Client,
    statementMs: number,
    onLost: (connection: PostgresConnection) => void,
  ) {
    this.#client = client
    this.#statementMs = statementMs
    this.#onLost = onLost
  }

  /** `onLost` is called once, whatever the connection is doing then. */
  static async open(
    url: string,
    statementMs: number,
    onLost: (connection: PostgresConnection) => void,
  ): Promise<PostgresConnection> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'assay',
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // Statements go out without waiting for the answers of those before them.
      pipeline: true,
      types: TYPES,
    } as pg.ClientConfig)
    const connection = new PostgresConnection(client, statementMs, onLost)
    // Without a listener the end of an idle connection would end the process.
    client.on('error', () => connection.#lose())
    client.on('end', () => connection.#lose())
    await client.connect()
    return connection
  }

  /**
   * Everything up to `end` is one transaction. Nothing is waited for: the first statement goes out with it, and
   * fails if this fails.
   */
  begin(mode: string, limits: { statementMs: number; idleMs: number } = this.#limits): void {
    const begin = `BEGIN ${mode}; SET LOCAL statement_timeout = ${limits.statementMs}; SET LOCAL idle_in_transaction_session_timeout = ${limits.idleMs}`
    this.#begun = this.#ask(begin, undefined, limits.statementMs)
    this.#begun.catch(() => undefined)
  }

  /** COMMIT of a transaction in which something failed rolls back, and says so only in its tag. */
  async end(word: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    const { command } = await this.query(word)
    if (command !== word) throw new Error('The transaction was rolled back')
  }

  async get<Row>(statement: string, ...values: Value[]): Promise<Row | undefined> {
    return (await this.query(numberedStatement(statement), values)).rows[0] as Row | undefined
  }

  async all<Row>(statement: string, ...values: Value[]): Promise<Row[]> {
    return (await this.query(numberedStatement(statement), values)).rows as Row[]
  }

  async join(statement: string, separator: string, ...values: number[]): Promise<Uint8Array> {
    const query = elementsQuery(statement, values)
    const copied = this.#inTurn(() => this.#copy(query, separator))
    const [bytes] = await Promise.all([this.#heard(copied), this.#begun])
    return bytes
  }

  async numbers(statement: string, ...values: Value[]): Promise<Float64Array> {
    const row = await this.get<{ numbers: string }>(numbersStatement(statement), ...values)
    return readNumbers(row?.numbers ?? '')
  }

  #copy(query: string, separator: string): Promise<Uint8Array> {
    const copied = new Promise<Uint8Array>((resolve, reject) => {
      const done = (error: Error | undefined, bytes: Uint8Array) => (error ? reject(error) : resolve(bytes))
      this.#client.query(new CopiedTexts(query, separator, this.#statementMs + GRACE_MS, done))
    })
    const isOver = () => {
      this.#copying = undefined
    }
    this.#copying = copied.then(isOver, isOver)
    return copied
  }

  /** Nothing is sent behind a COPY before it is over: PgBouncer would lose count of the answers. */
  async #inTurn<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    while (this.#copying) await this.#copying
    return send()
  }

  /** Values as `$1` and so on. `waitMs` is for statements that may take longer than others, or for ever (0). */
  async query(text: string, values?: Value[], waitMs = this.#statementMs): Promise<pg.QueryResult> {
    const asked = this.#ask(text, values, waitMs)
    const [result] = await Promise.all([asked, this.#begun])
    return result
  }

  #ask(text: string, values: Value[] | undefined, waitMs: number): Promise<pg.QueryResult> {
    const limit = waitMs === 0 ? {} : { query_timeout: waitMs + GRACE_MS }
    return this.#heard(this.#inTurn(() => this.#client.query({ text, ...(values && { values }), ...limit })))
  }

  async #heard<Answer>(asked: Promise<Answer>): Promise<Answer> {
    try {
      const answer = await asked
      this.hasAnswered = true
      return answer
    } catch (error) {
      if ((error as Error).message === 'Query read timeout') this.isSilent = true
      // The server's last word, which comes before the end of the connection is seen.
      if ((error as pg.DatabaseError).severity === 'FATAL') this.#lose()
      throw asProblem(error)
    }
  }

  get #limits() {
    return { statementMs: this.#statementMs, idleMs: IDLE_MS }
  }

  #lose(): void {
    if (this.isLost) return
    this.isLost = true
    this.#onLost(this)
  }

  async close(): Promise<void> {
    const timer = setTimeout(() => this.destroy(), GOODBYE_MS)
    await this.#client.end().catch(() => undefined)
    clearTimeout(timer)
  }

  /** Without a word: what is under way on it fails. */
  destroy(): void {
    const { connection } = this.#client as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
  }
}

/** A transaction whose process is gone without a word holds its snapshot no longer than this. */
const IDLE_MS = 3_600_000
