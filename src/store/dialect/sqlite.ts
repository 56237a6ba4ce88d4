// SQLite through node:sqlite: one writing thread, and any number of read-only connections on the same file.
// Several processes may use one file at once; SQLite's own locks keep them apart.
import { realpathSync } from 'node:fs'
import { type CommandError, NoStore } from '../../errors.ts'
import type { Connection, Dialect, Reader, SnapshotKind, Value } from './dialect.ts'
import { answered } from './sqlite-errors.ts'
import { isStoreFile, makeStoreFile, openDatabase } from './sqlite-file.ts'
import { SqliteQueries } from './sqlite-queries.ts'
import { RememberedRows } from './sqlite-remembered.ts'
import { SqliteStatements } from './sqlite-statements.ts'
import { joinStatement, SQL } from './sqlite-words.ts'
import { openSqliteWriter } from './sqlite-writer.ts'
import { unavailable } from './unavailable.ts'

/** A reader waits for a lock only while another process brings a crashed store in order. */
const BUSY_TIMEOUT_MS = 10_000
const IDLE_SNAPSHOTS = 4

export async function openSqlite(path: string, mayMake: boolean): Promise<Dialect> {
  if (!isStoreFile(path)) {
    if (!mayMake) throw noStore(path)
    makeStoreFile(path)
  }
  const writer = await openSqliteWriter(path)
  let reader: SqliteReader
  try {
    reader = new SqliteReader(path)
  } catch (error) {
    await writer.close()
    throw error
  }
  return {
    engine: 'sqlite',
    reader,
    writer,
    migrate: (work) => writer.transaction(work),
    file: realpathSync(path),
    backup: async (file) => answered(() => reader.backup(file)),
    integrity: async () => answered(() => reader.integrity()),
    // The writer last: a read-only connection that closes last leaves the -wal file behind.
    async close() {
      await reader.closeAll()
      await writer.close()
    },
  }
}

function noStore(path: string): CommandError {
  return new NoStore(
    `There is no store at ${path}.`,
    'Name its folder with --data; assay serve, assay import and assay keys create make a new one.',
  )
}

class SqliteConnection implements Connection {
  readonly sql = SQL
  protected readonly statements: SqliteStatements

  constructor(path: string) {
    this.statements = new SqliteStatements(
      openDatabase(path, { readOnly: true, busyTimeoutMs: BUSY_TIMEOUT_MS }),
    )
  }

  async get<Row>(statement: string, ...values: Value[]): Promise<Row | undefined> {
    return answered(() => this.statements.get(statement, values) as Row | undefined)
  }

  async all<Row>(statement: string, ...values: Value[]): Promise<Row[]> {
    return answered(() => this.statements.all(statement, values) as Row[])
  }

  async join(statement: string, separator: string, ...values: number[]): Promise<Uint8Array> {
    const row = await this.get<{ bytes: Uint8Array | null }>(joinStatement(statement, separator), ...values)
    return row?.bytes ?? new Uint8Array()
  }

  async numbers(statement: string, ...values: Value[]): Promise<Float64Array> {
    return answered(() => this.statements.numbers(statement, values))
  }

  begin(): void {
    answered(() => this.statements.script('BEGIN'))
  }

  end(): void {
    this.statements.rollback()
  }

  close(): void {
    this.statements.close()
  }
}

class SqliteReader extends SqliteConnection implements Reader {
  readonly #path: string
  readonly #queries: SqliteQueries
  readonly #idle: SqliteConnection[] = []
  readonly #remembered: RememberedRows
  readonly #moment: Connection
  #isClosed = false

  constructor(path: string) {
    super(path)
    this.#path = path
    this.#queries = new SqliteQueries(path)
    this.#remembered = new RememberedRows(this.statements)
    this.#moment = {
      sql: SQL,
      get: async <Row>(statement: string, ...values: Value[]) =>
        answered(() => this.#remembered.get(statement, values) as Row | undefined),
      all: (statement, ...values) => this.all(statement, ...values),
      join: (statement, separator, ...values) => this.join(statement, separator, ...values),
      numbers: (statement, ...values) => this.numbers(statement, ...values),
    }
  }

  moment(): Connection {
    answered(() => this.#remembered.refresh())
    return this.#moment
  }

  /** A snapshot is a read transaction, and a connection has one at a time: each gets its own, however long. */
  async snapshot<Answer>(
    kind: SnapshotKind,
    work: (snapshot: Connection) => Promise<Answer>,
  ): Promise<Answer> {
    if (kind === 'query') return this.#queries.snapshot(work)
    const connection = this.#idle.pop() ?? this.#open()
    try {
      connection.begin()
      return await work(connection)
    } finally {
      this.#giveBack(connection)
    }
  }

  /** VACUUM INTO reads one state, whatever is written meanwhile, and leaves no gaps in the copy. */
  backup(file: string): void {
    this.statements.run('VACUUM INTO ?', [[file]])
  }

  integrity(): string[] {
    const rows = this.statements.all('PRAGMA integrity_check', []) as { integrity_check: string }[]
    const found = rows.map(({ integrity_check }) => integrity_check).filter((line) => line !== 'ok')
    const orphans = this.statements.all('PRAGMA foreign_key_check', []) as { table: string }[]
    return [...found, ...orphans.map(({ table }) => `a row of ${table} belongs to nothing`)]
  }

  #open(): SqliteConnection {
    try {
      return new SqliteConnection(this.#path)
    } catch (error) {
      throw unavailable(error)
    }
  }

  #giveBack(connection: SqliteConnection): void {
    try {
      connection.end()
      if (this.#isClosed || this.#idle.length >= IDLE_SNAPSHOTS) connection.close()
      else this.#idle.push(connection)
    } catch {
      // A connection that cannot even end its transaction is of no more use; the read has had its own error.
      connection.close()
    }
  }

  async closeAll(): Promise<void> {
    this.#isClosed = true
    await this.#queries.close()
    for (const connection of this.#idle) connection.close()
    this.close()
  }
}
