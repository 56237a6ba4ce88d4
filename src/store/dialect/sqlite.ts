// SQLite through node:sqlite: one writing connection and any number of read-only ones on the same file.
// Several processes may use one file at once; SQLite's own locks keep them apart.
import { closeSync, mkdirSync, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { CommandError, Problem } from '../../errors.ts'
import type { Connection, Dialect, Reader, Transaction, Value, Writer } from './dialect.ts'

/** 'Assy' in ASCII: marks a file as ours in its header. */
const APPLICATION_ID = 0x41737379
const PAGE_SIZE = 16384
const BUSY_TIMEOUT_MS = 10_000
const IDLE_SNAPSHOTS = 4

export async function openSqlite(path: string, mayMake: boolean): Promise<Dialect> {
  if (!isStoreFile(path)) makeFile(path, mayMake)
  const writer = new SqliteWriter(path)
  let reader: SqliteReader
  try {
    reader = new SqliteReader(path)
  } catch (error) {
    writer.close()
    throw error
  }
  return {
    engine: 'sqlite',
    reader,
    writer,
    // The writer last: a read-only connection that closes last leaves the -wal file behind.
    async close() {
      reader.close()
      writer.close()
    },
  }
}

/**
 * Whether there is a file. Looks at its first bytes before SQLite does, so that a file of somebody else is
 * refused and never touched.
 */
function isStoreFile(path: string): boolean {
  const header = new Uint8Array(72)
  let length = 0
  try {
    const file = openSync(path, 'r')
    length = readSync(file, header)
    closeSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw cannotOpen(path, error)
  }
  if (length === 0) return true
  const isSqlite = new TextDecoder().decode(header.subarray(0, 16)) === 'SQLite format 3\0'
  const applicationId = new DataView(header.buffer).getUint32(68)
  if (!isSqlite || applicationId !== APPLICATION_ID) {
    throw new CommandError(
      `${path} is not a store of Assay.`,
      'Nothing was changed. Name another folder with --data, or move that file away.',
    )
  }
  return true
}

/** For its owner alone; SQLite gives the files beside it the same mode. */
function makeFile(path: string, mayMake: boolean): void {
  if (!mayMake) {
    throw new CommandError(
      `There is no store at ${path}.`,
      'Name its folder with --data; assay serve and assay keys create make a new one.',
    )
  }
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw cannotOpen(path, error)
  }
}

function cannotOpen(path: string, error: unknown): CommandError {
  const reason = error instanceof Error ? error.message : String(error)
  return new CommandError(
    `Cannot open the store ${path}: ${reason}`,
    'Check that the folder exists, can be written by this user and has room.',
  )
}

class SqliteConnection implements Connection {
  readonly sql = {
    joinedBytes: (column: string, separator: string) =>
      `CAST(group_concat(${column}, char(${separator.charCodeAt(0)})) AS BLOB)`,
    tables: `SELECT name FROM sqlite_schema WHERE type = 'table'`,
  }
  protected readonly database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(path: string, options: { readOnly: boolean }) {
    try {
      this.database = new DatabaseSync(path, { readOnly: options.readOnly, timeout: BUSY_TIMEOUT_MS })
      if (!options.readOnly) prepareNewFile(this.database)
      setPragmas(this.database, path)
    } catch (error) {
      throw error instanceof CommandError ? error : cannotOpen(path, error)
    }
  }

  async get<Row>(statement: string, ...values: Value[]): Promise<Row | undefined> {
    return answered(() => this.#prepared(statement).get(...values) as Row | undefined)
  }

  async all<Row>(statement: string, ...values: Value[]): Promise<Row[]> {
    return answered(() => this.#prepared(statement).all(...values) as Row[])
  }

  async run(statement: string, ...values: Value[]): Promise<void> {
    answered(() => this.#prepared(statement).run(...values))
  }

  async script(statements: string): Promise<void> {
    this.execute(statements)
  }

  execute(statements: string): void {
    answered(() => this.database.exec(statements))
  }

  /** Some failures, a full disk among them, have rolled back already. */
  rollback(): void {
    if (this.database.isTransaction) this.execute('ROLLBACK')
  }

  close(): void {
    this.#statements.clear()
    this.database.close()
  }

  #prepared(statement: string): StatementSync {
    let prepared = this.#statements.get(statement)
    if (!prepared) {
      prepared = this.database.prepare(statement)
      this.#statements.set(statement, prepared)
    }
    return prepared
  }
}

/** The page size and the mark must be there before the first table, and before WAL fixes the page size. */
function prepareNewFile(database: DatabaseSync): void {
  database.exec(`PRAGMA page_size = ${PAGE_SIZE}`)
  database.exec('BEGIN IMMEDIATE')
  const { application_id } = database.prepare('PRAGMA application_id').get() as { application_id: number }
  if (application_id === 0) database.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
  database.exec('COMMIT')
  database.exec('PRAGMA journal_mode = WAL')
}

const PRAGMAS = {
  synchronous: 2,
  busy_timeout: BUSY_TIMEOUT_MS,
  foreign_keys: 1,
  trusted_schema: 0,
  // A large import leaves a large -wal file; the next checkpoint cuts it back to this.
  journal_size_limit: 64 * 1024 * 1024,
}

/** A pragma that SQLite does not know or cannot honour is ignored in silence, so each is read back. */
function setPragmas(database: DatabaseSync, path: string): void {
  for (const [name, value] of Object.entries(PRAGMAS)) database.exec(`PRAGMA ${name} = ${value}`)
  const expected = {
    ...PRAGMAS,
    journal_mode: 'wal',
    page_size: PAGE_SIZE,
    application_id: APPLICATION_ID,
  }
  for (const [name, value] of Object.entries(expected)) {
    const row = database.prepare(`PRAGMA ${name}`).get() ?? {}
    const actual = Object.values(row)[0]
    if (actual !== value) {
      throw new CommandError(
        `The store ${path} runs with ${name} = ${actual} where ${value} is needed.`,
        'Nothing was changed. Use a local disk: network file systems cannot hold an embedded store.',
      )
    }
  }
}

class SqliteReader extends SqliteConnection implements Reader {
  readonly #path: string
  readonly #idle: SqliteConnection[] = []
  #isClosed = false

  constructor(path: string) {
    super(path, { readOnly: true })
    this.#path = path
  }

  /** A snapshot is a read transaction, and a connection has one at a time: each gets its own. */
  async snapshot<Answer>(work: (snapshot: Connection) => Promise<Answer>): Promise<Answer> {
    const connection = this.#idle.pop() ?? this.#open()
    try {
      connection.execute('BEGIN')
      return await work(connection)
    } finally {
      this.#giveBack(connection)
    }
  }

  #open(): SqliteConnection {
    try {
      return new SqliteConnection(this.#path, { readOnly: true })
    } catch (error) {
      throw unavailable(error)
    }
  }

  #giveBack(connection: SqliteConnection): void {
    try {
      connection.rollback()
      if (this.#isClosed || this.#idle.length >= IDLE_SNAPSHOTS) connection.close()
      else this.#idle.push(connection)
    } catch {
      // A connection that cannot even end its transaction is of no more use; the read has had its own error.
      connection.close()
    }
  }

  override close(): void {
    this.#isClosed = true
    for (const connection of this.#idle) connection.close()
    super.close()
  }
}

class SqliteWriter extends SqliteConnection implements Writer {
  #last: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    super(path, { readOnly: false })
  }

  transaction<Answer>(work: (transaction: Transaction) => Promise<Answer>): Promise<Answer> {
    const next = this.#last.then(() => this.#transact(work))
    this.#last = next.catch(() => undefined)
    return next
  }

  async #transact<Answer>(work: (transaction: Transaction) => Promise<Answer>): Promise<Answer> {
    this.execute('BEGIN IMMEDIATE')
    try {
      const answer = await work(this)
      this.execute('COMMIT')
      return answer
    } catch (error) {
      this.rollback()
      throw error
    }
  }
}

/** SQLite's result codes for what may pass: busy, locked, out of memory, I/O error, full, cannot open. */
const PASSING = new Set([5, 6, 7, 10, 13, 14])

/** Turns a failure that may pass into one that says so; everything else stays what it is. */
function answered<Answer>(ask: () => Answer): Answer {
  try {
    return ask()
  } catch (error) {
    const code = (error as { errcode?: number }).errcode
    if (code === undefined || !PASSING.has(code & 0xff)) throw error
    throw unavailable(error)
  }
}

function unavailable(cause: unknown): Problem {
  const detail = 'The store cannot answer at the moment. Try again shortly.'
  return new Problem('unavailable', detail, { 'retry-after': '1' }, { cause })
}
