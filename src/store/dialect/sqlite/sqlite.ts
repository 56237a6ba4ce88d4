// The SQLite engine (node:sqlite): one writer, some query threads and any number of read-only connections. Several
// processes can use one file at the same time, coordinated by SQLite's locks.
import { realpathSync } from 'node:fs'
import { CommandError, StoreNotFound } from '../../../errors.ts'
import {
  Connection,
  type Dialect,
  type Read,
  type Reader,
  type SnapshotKind,
  type SnapshotReader,
  type Value,
} from '../dialect.ts'
import { unavailableError } from '../errors.ts'
import { SqliteConnections } from './connections.ts'
import { asProblem, isDamaged, translateErrors } from './errors.ts'
import {
  cannotOpenError,
  closeStoreFile,
  compactFile,
  createStoreFile,
  fileVersion,
  isImmutable,
  isWritable,
  mustBePrepared,
  storeFileExists,
} from './file.ts'
import { QueryThreads } from './query-threads.ts'
import { RowCache } from './row-cache.ts'
import { SQL_FRAGMENTS } from './sql.ts'
import type { SqliteStatements } from './statements.ts'
import { SqliteTransactions } from './transactions.ts'

const MAX_IDLE_CONNECTIONS = 4

/** `writesHere`: whether transactions run in the calling thread instead of the write thread. */
export async function openSqlite(
  path: string,
  { createIfMissing, writesHere }: { createIfMissing: boolean; writesHere: boolean },
): Promise<Dialect> {
  if (!storeFileExists(path)) {
    if (!createIfMissing) throw storeNotFoundError(path)
    createStoreFile(path)
  }
  const writer = new SqliteTransactions({ path, isReadOnly: false, isLocal: writesHere })
  const isReadOnly = !isWritable(path)
  const immutableVersion = isImmutable(path) ? fileVersion(path) : undefined
  // Otherwise the thread starts with the first write: it takes 10 MB.
  if (!isReadOnly && mustBePrepared(path)) await writer.start()
  let reader: SqliteReader
  try {
    reader = translateErrors(path, () => new SqliteReader(path))
  } catch (error) {
    await writer.close()
    throw error
  }
  return {
    engine: 'sqlite',
    reader,
    writer: isReadOnly ? { transaction: () => rejectWrite(path), inTurn: () => rejectWrite(path) } : writer,
    migrate: (work) => (isReadOnly ? rejectWrite(path) : writer.transaction(work)),
    file: realpathSync(path),
    backup: async (file) => translateErrors(path, () => reader.backup(file)),
    compact: async () => translateErrors(path, () => compactFile(path)),
    checkIntegrity: async () => translateErrors(path, () => reader.checkIntegrity()),
    // The writer must close last: a read-only connection does not delete the -wal file.
    async close() {
      await reader.close()
      if (writer.isStarted) await writer.close()
      if (immutableVersion !== undefined) rejectChanged(path, immutableVersion)
      else if (!isReadOnly && !writer.isStarted) closeStoreFile(path)
    },
  }
}

async function rejectWrite(path: string): Promise<never> {
  throw cannotOpenError(path, new Error('this user can read it, but not write to it or its folder.'))
}

/** SQLite does not detect changes of an immutable file. */
function rejectChanged(path: string, version: string): void {
  if (fileVersion(path) === version) return
  throw new CommandError(
    `The store ${path} has changed while it was read, so the output can be wrong.`,
    'Run the command again, or as a user that can write to the store.',
  )
}

function storeNotFoundError(path: string): CommandError {
  return new StoreNotFound(
    `There is no store at ${path}.`,
    'Check --data. To create a store, run assay serve, assay import or assay keys create.',
  )
}

class SqliteConnection extends Connection {
  readonly sql = SQL_FRAGMENTS
  protected readonly path: string
  protected readonly statements: SqliteStatements

  constructor(path: string, statements: SqliteStatements) {
    super()
    this.path = path
    this.statements = statements
  }

  async read(read: Read): Promise<unknown> {
    return translateErrors(this.path, () => this.statements.read(read))
  }
}

/** Takes single rows from the cache. */
class LatestReader extends Connection implements SnapshotReader {
  readonly sql = SQL_FRAGMENTS
  readonly #path: string
  readonly #reader: SnapshotReader
  readonly #rowCache: RowCache

  constructor(path: string, reader: SnapshotReader, rowCache: RowCache) {
    super()
    this.#path = path
    this.#reader = reader
    this.#rowCache = rowCache
  }

  async read(read: Read): Promise<unknown> {
    if (read.returns !== 'row') return this.#reader.read(read)
    return translateErrors(this.#path, () => this.#rowCache.get(read.statement, read.values))
  }

  cachedRow<Row>(statement: string, ...values: Value[]): Row | undefined {
    return this.#rowCache.peek(statement, values) as Row | undefined
  }

  snapshot<Result>(
    kind: SnapshotKind,
    work: (snapshot: Connection) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    return this.#reader.snapshot(kind, work, signal)
  }
}

class SqliteReader extends SqliteConnection implements Reader {
  readonly hasRowCache = true
  readonly #queryThreads: QueryThreads
  readonly #connections: SqliteConnections
  readonly #rowCache: RowCache
  #latestReader: SnapshotReader

  constructor(path: string) {
    const connections = new SqliteConnections(path, { isReadOnly: true, maxIdle: MAX_IDLE_CONNECTIONS })
    super(path, connections.open())
    this.#connections = connections
    this.#queryThreads = new QueryThreads(path)
    this.#rowCache = new RowCache(this.statements)
    this.#latestReader = new LatestReader(path, this, this.#rowCache)
  }

  latest(): SnapshotReader {
    if (translateErrors(this.path, () => this.#rowCache.refresh()))
      this.#latestReader = new LatestReader(this.path, this, this.#rowCache)
    return this.#latestReader
  }

  /** A `query` snapshot runs on a query thread. Other snapshots are read transactions on their own connections. */
  async snapshot<Result>(
    kind: SnapshotKind,
    work: (snapshot: Connection) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    if (kind === 'query') return this.#queryThreads.snapshot(work, signal)
    const statements = this.#acquire()
    try {
      translateErrors(this.path, () => statements.database.exec('BEGIN'))
      return await work(new SqliteConnection(this.path, statements))
    } finally {
      this.#connections.release(statements)
    }
  }

  /** VACUUM INTO copies one snapshot, without free pages. */
  backup(file: string): void {
    this.statements.run('VACUUM INTO ?', [[file]])
  }

  checkIntegrity(): string[] {
    const trees = this.#listTrees()
    const problems = this.#checkPages(trees)
    if (problems.length > 0) return problems.map((line) => nameTree(line, trees))
    const orphanRows = this.statements.all('PRAGMA foreign_key_check', []) as { table: string }[]
    return orphanRows.map(({ table }) => `a row of ${table} has no parent row`)
  }

  /** With some kinds of damage, SQLite cannot check the whole file. Then each table is checked by itself. */
  #checkPages(trees: Tree[]): string[] {
    try {
      return this.#runIntegrityCheck('PRAGMA integrity_check')
    } catch (error) {
      if (!isDamaged(error)) throw error
    }
    return trees.flatMap(({ type, name }) => {
      if (type !== 'table') return []
      try {
        return this.#runIntegrityCheck(`PRAGMA integrity_check("${name}")`)
      } catch (error) {
        return [`table ${name}: ${(error as Error).message}`]
      }
    })
  }

  #runIntegrityCheck(statement: string): string[] {
    const rows = this.statements.all(statement, []) as { integrity_check: string }[]
    const lines = rows.flatMap(({ integrity_check }) => integrity_check.split('\n'))
    return lines.filter((line) => line !== 'ok' && line !== '*** in database main ***')
  }

  #listTrees(): Tree[] {
    return this.statements.all('SELECT type, name, rootpage FROM sqlite_schema', []) as Tree[]
  }

  #acquire(): SqliteStatements {
    try {
      return this.#connections.acquire()
    } catch (error) {
      throw isDamaged(error) ? asProblem(this.path, error) : unavailableError(error)
    }
  }

  async close(): Promise<void> {
    await this.#queryThreads.close()
    this.#connections.close()
    this.statements.close()
  }
}

/** A table or index, and the page at which it starts. */
interface Tree {
  type: string
  name: string
  rootpage: number
}

/** SQLite prints the page of a table or index instead of its name. */
function nameTree(line: string, trees: Tree[]): string {
  return line.replace(/\bTree (\d+)/, (text, page) => {
    const tree = trees.find(({ rootpage }) => rootpage === Number(page))
    return tree ? `${tree.type} ${tree.name}` : text
  })
}
