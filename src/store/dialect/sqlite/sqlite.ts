// The SQLite engine (node:sqlite): one write thread and any number of read-only connections. Several processes can use
// one file at the same time, coordinated by SQLite's locks.
import { realpathSync } from 'node:fs'
import { type CommandError, StoreNotFound } from '../../../errors.ts'
import type { Connection, Dialect, Reader, SnapshotKind, Value } from '../dialect.ts'
import { unavailable } from '../errors.ts'
import { translateErrors } from './errors.ts'
import { createStoreFile, openDatabase, storeFileExists } from './file.ts'
import { SqliteQueryClient } from './query-client.ts'
import { RowCache } from './row-cache.ts'
import { joinStatement, SQL } from './sql.ts'
import { SqliteStatements } from './statements.ts'
import { openSqliteWriter } from './writer.ts'

/** A reader waits for a lock only while another process recovers the file after a crash. */
const BUSY_TIMEOUT_MS = 10_000
const MAX_IDLE_CONNECTIONS = 4

export async function openSqlite(path: string, createIfMissing: boolean): Promise<Dialect> {
  if (!storeFileExists(path)) {
    if (!createIfMissing) throw noStore(path)
    createStoreFile(path)
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
    backup: async (file) => translateErrors(() => reader.backup(file)),
    integrity: async () => translateErrors(() => reader.integrity()),
    // The writer must close last: a read-only connection does not delete the -wal file.
    async close() {
      await reader.closeAll()
      await writer.close()
    },
  }
}

function noStore(path: string): CommandError {
  return new StoreNotFound(
    `There is no store at ${path}.`,
    'Check --data. To create a store, run assay serve, assay import or assay keys create.',
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
    return translateErrors(() => this.statements.get(statement, values) as Row | undefined)
  }

  async all<Row>(statement: string, ...values: Value[]): Promise<Row[]> {
    return translateErrors(() => this.statements.all(statement, values) as Row[])
  }

  async joinElements(statement: string, separator: string, ...values: number[]): Promise<Uint8Array> {
    const row = await this.get<{ bytes: Uint8Array | null }>(joinStatement(statement, separator), ...values)
    return row?.bytes ?? new Uint8Array()
  }

  async numbers(statement: string, ...values: Value[]): Promise<Float64Array> {
    return translateErrors(() => this.statements.numbers(statement, values))
  }

  begin(): void {
    translateErrors(() => this.statements.script('BEGIN'))
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
  readonly #queryClient: SqliteQueryClient
  readonly #idle: SqliteConnection[] = []
  readonly #rowCache: RowCache
  readonly #latest: Connection
  #isClosed = false

  constructor(path: string) {
    super(path)
    this.#path = path
    this.#queryClient = new SqliteQueryClient(path)
    this.#rowCache = new RowCache(this.statements)
    this.#latest = {
      sql: SQL,
      get: async <Row>(statement: string, ...values: Value[]) =>
        translateErrors(() => this.#rowCache.get(statement, values) as Row | undefined),
      all: (statement, ...values) => this.all(statement, ...values),
      joinElements: (statement, separator, ...values) => this.joinElements(statement, separator, ...values),
      numbers: (statement, ...values) => this.numbers(statement, ...values),
    }
  }

  latest(): Connection {
    translateErrors(() => this.#rowCache.refresh())
    return this.#latest
  }

  /** Each snapshot is a read transaction on its own connection. */
  async snapshot<Result>(
    kind: SnapshotKind,
    work: (snapshot: Connection) => Promise<Result>,
  ): Promise<Result> {
    if (kind === 'query') return this.#queryClient.snapshot(work)
    const connection = this.#idle.pop() ?? this.#open()
    try {
      connection.begin()
      return await work(connection)
    } finally {
      this.#release(connection)
    }
  }

  /** VACUUM INTO copies one snapshot, without free pages. */
  backup(file: string): void {
    this.statements.run('VACUUM INTO ?', [[file]])
  }

  integrity(): string[] {
    const rows = this.statements.all('PRAGMA integrity_check', []) as { integrity_check: string }[]
    const problems = rows.map(({ integrity_check }) => integrity_check).filter((line) => line !== 'ok')
    const orphans = this.statements.all('PRAGMA foreign_key_check', []) as { table: string }[]
    return [...problems, ...orphans.map(({ table }) => `a row of ${table} has no parent row`)]
  }

  #open(): SqliteConnection {
    try {
      return new SqliteConnection(this.#path)
    } catch (error) {
      throw unavailable(error)
    }
  }

  #release(connection: SqliteConnection): void {
    try {
      connection.end()
      if (this.#isClosed || this.#idle.length >= MAX_IDLE_CONNECTIONS) connection.close()
      else this.#idle.push(connection)
    } catch {
      // The connection is unusable. The error of the read itself is already being thrown.
      connection.close()
    }
  }

  async closeAll(): Promise<void> {
    this.#isClosed = true
    await this.#queryClient.close()
    for (const connection of this.#idle) connection.close()
    this.close()
  }
}
