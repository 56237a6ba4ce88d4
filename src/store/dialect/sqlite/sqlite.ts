// The SQLite engine (node:sqlite): one write thread, one query thread and any number of read-only connections. Several
// processes can use one file at the same time, coordinated by SQLite's locks.
import { realpathSync } from 'node:fs'
import { type CommandError, StoreNotFound } from '../../../errors.ts'
import { BaseConnection } from '../base-connection.ts'
import type { Connection, Dialect, Read, Reader, SnapshotKind } from '../dialect.ts'
import { unavailableError } from '../errors.ts'
import { SqliteConnections } from './connections.ts'
import { translateErrors } from './errors.ts'
import { createStoreFile, storeFileExists } from './file.ts'
import { RowCache } from './row-cache.ts'
import { SQL_FRAGMENTS } from './sql.ts'
import type { SqliteStatements } from './statements.ts'
import { SqliteTransactions } from './transactions.ts'

const MAX_IDLE_CONNECTIONS = 4
/** All queries run on one thread, so more open snapshots would only use memory. */
const MAX_QUERY_SNAPSHOTS = 4

export async function openSqlite(path: string, createIfMissing: boolean): Promise<Dialect> {
  if (!storeFileExists(path)) {
    if (!createIfMissing) throw storeNotFoundError(path)
    createStoreFile(path)
  }
  const writer = new SqliteTransactions({ path, isReadOnly: false }, 1)
  await writer.start()
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
      await reader.close()
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

class SqliteConnection extends BaseConnection {
  readonly sql = SQL_FRAGMENTS
  protected readonly statements: SqliteStatements

  constructor(statements: SqliteStatements) {
    super()
    this.statements = statements
  }

  async read(read: Read): Promise<unknown> {
    return translateErrors(() => this.statements.read(read))
  }
}

/** Takes single rows from the cache. */
class LatestConnection extends BaseConnection {
  readonly sql = SQL_FRAGMENTS
  readonly #connection: Connection
  readonly #rowCache: RowCache

  constructor(connection: Connection, rowCache: RowCache) {
    super()
    this.#connection = connection
    this.#rowCache = rowCache
  }

  async read(read: Read): Promise<unknown> {
    if (read.returns !== 'row') return this.#connection.read(read)
    return translateErrors(() => this.#rowCache.get(read.statement, read.values))
  }
}

class SqliteReader extends SqliteConnection implements Reader {
  readonly #queries: SqliteTransactions
  readonly #connections: SqliteConnections
  readonly #rowCache: RowCache
  readonly #latestConnection: Connection

  constructor(path: string) {
    const connections = new SqliteConnections(path, { isReadOnly: true, maxIdle: MAX_IDLE_CONNECTIONS })
    super(connections.open())
    this.#connections = connections
    this.#queries = new SqliteTransactions({ path, isReadOnly: true }, MAX_QUERY_SNAPSHOTS)
    this.#rowCache = new RowCache(this.statements)
    this.#latestConnection = new LatestConnection(this, this.#rowCache)
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
    if (kind === 'query') return this.#queries.transaction(work)
    const statements = this.#acquire()
    try {
      translateErrors(() => statements.database.exec('BEGIN'))
      return await work(new SqliteConnection(statements))
    } finally {
      this.#connections.release(statements)
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

  #acquire(): SqliteStatements {
    try {
      return this.#connections.acquire()
    } catch (error) {
      throw unavailableError(error)
    }
  }

  async close(): Promise<void> {
    await this.#queries.close()
    this.#connections.close()
    this.statements.close()
  }
}
