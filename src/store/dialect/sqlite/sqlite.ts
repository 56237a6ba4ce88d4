// The SQLite engine (node:sqlite): one write thread and any number of read-only connections. Several processes can use
// one file at the same time, coordinated by SQLite's locks.
import { realpathSync } from 'node:fs'
import { type CommandError, StoreNotFound } from '../../../errors.ts'
import type { Connection, Dialect, Reader, SnapshotKind, Value } from '../dialect.ts'
import { unavailableError } from '../errors.ts'
import { translateErrors } from './errors.ts'
import { createStoreFile, openDatabase, storeFileExists } from './file.ts'
import { SqliteQueryClient } from './query-client.ts'
import { RowCache } from './row-cache.ts'
import { joinStatement, SQL_FRAGMENTS } from './sql.ts'
import { SqliteStatements } from './statements.ts'
import { openSqliteWriter } from './writer.ts'

/** A reader waits for a lock only while another process recovers the file after a crash. */
const BUSY_TIMEOUT_MS = 10_000
const MAX_IDLE_CONNECTIONS = 4

export async function openSqlite(path: string, createIfMissing: boolean): Promise<Dialect> {
  if (!storeFileExists(path)) {
    if (!createIfMissing) throw storeNotFoundError(path)
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
    checkIntegrity: async () => translateErrors(() => reader.checkIntegrity()),
    // The writer must close last: a read-only connection does not delete the -wal file.
    async close() {
      await reader.closeConnections()
      await writer.close()
    },
  }
}

function storeNotFoundError(path: string): CommandError {
  return new StoreNotFound(
    `There is no store at ${path}.`,
    'Check --data. To create a store, run assay serve, assay import or assay keys create.',
  )
}

class SqliteConnection implements Connection {
  readonly sql = SQL_FRAGMENTS
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

  async readNumbers(statement: string, ...values: Value[]): Promise<Float64Array> {
    return translateErrors(() => this.statements.readNumbers(statement, values))
  }

  begin(): void {
    translateErrors(() => this.statements.script('BEGIN'))
  }

  rollback(): void {
    this.statements.rollback()
  }

  close(): void {
    this.statements.close()
  }
}

class SqliteReader extends SqliteConnection implements Reader {
  readonly #path: string
  readonly #queryClient: SqliteQueryClient
  readonly #idleConnections: SqliteConnection[] = []
  readonly #rowCache: RowCache
  readonly #latestConnection: Connection
  #isClosed = false

  constructor(path: string) {
    super(path)
    this.#path = path
    this.#queryClient = new SqliteQueryClient(path)
    this.#rowCache = new RowCache(this.statements)
    this.#latestConnection = {
      sql: SQL_FRAGMENTS,
      get: async <Row>(statement: string, ...values: Value[]) =>
        translateErrors(() => this.#rowCache.get(statement, values) as Row | undefined),
      all: (statement, ...values) => this.all(statement, ...values),
      joinElements: (statement, separator, ...values) => this.joinElements(statement, separator, ...values),
      readNumbers: (statement, ...values) => this.readNumbers(statement, ...values),
    }
  }

  latest(): Connection {
    translateErrors(() => this.#rowCache.refresh())
    return this.#latestConnection
  }

  /** A `query` snapshot runs on the query thread. Other snapshots are read transactions on their own connections. */
  async snapshot<Result>(
    kind: SnapshotKind,
    work: (snapshot: Connection) => Promise<Result>,
  ): Promise<Result> {
    if (kind === 'query') return this.#queryClient.snapshot(work)
    const connection = this.#idleConnections.pop() ?? this.#openConnection()
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

  checkIntegrity(): string[] {
    const rows = this.statements.all('PRAGMA integrity_check', []) as { integrity_check: string }[]
    const problems = rows.map(({ integrity_check }) => integrity_check).filter((line) => line !== 'ok')
    const orphanRows = this.statements.all('PRAGMA foreign_key_check', []) as { table: string }[]
    return [...problems, ...orphanRows.map(({ table }) => `a row of ${table} has no parent row`)]
  }

  #openConnection(): SqliteConnection {
    try {
      return new SqliteConnection(this.#path)
    } catch (error) {
      throw unavailableError(error)
    }
  }

  #release(connection: SqliteConnection): void {
    try {
      connection.rollback()
      if (this.#isClosed || this.#idleConnections.length >= MAX_IDLE_CONNECTIONS) connection.close()
      else this.#idleConnections.push(connection)
    } catch {
      // The rollback failed, so the connection cannot be reused. The result or error of the read is not affected.
      connection.close()
    }
  }

  async closeConnections(): Promise<void> {
    this.#isClosed = true
    await this.#queryClient.close()
    for (const connection of this.#idleConnections) connection.close()
    this.close()
  }
}
