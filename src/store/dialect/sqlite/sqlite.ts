// The SQLite engine (node:sqlite): one writer, some query threads and any number of read-only connections. Several
// processes can use one file at the same time, coordinated by SQLite's locks.
import { realpathSync } from 'node:fs'
import type { StatementSync } from 'node:sqlite'
import { CommandError, StoreNotFound } from '../../../errors.ts'
import { LruCache } from '../../cache/lru-cache.ts'
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
import { SqliteConnection } from './connection.ts'
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
  openDatabase,
  storeFileExists,
} from './file.ts'
import { isOpenInProcess, rememberFile } from './open-files.ts'
import { QueryThreads } from './query-threads.ts'
import { SQL_FRAGMENTS } from './sql.ts'
import { SqliteTransactions } from './transactions.ts'

const MAX_IDLE_CONNECTIONS = 4
const MAX_CACHED_ROWS = 1000

/** `writesHere`: whether transactions run in the calling thread instead of the write thread. */
export async function openSqlite(
  path: string,
  { createIfMissing, writesHere }: { createIfMissing: boolean; writesHere: boolean },
): Promise<Dialect> {
  const isFirst = !isOpenInProcess(path)
  if (isFirst && !storeFileExists(path)) {
    if (!createIfMissing) throw storeNotFoundError(path)
    createStoreFile(path)
  }
  const writer = new SqliteTransactions({ path, isReadOnly: false, isLocal: writesHere })
  const isReadOnly = !isWritable(path)
  const immutableVersion = isImmutable(path) ? fileVersion(path) : undefined
  // Otherwise the thread starts with the first write: it takes 10 MB.
  if (isFirst && !isReadOnly && mustBePrepared(path)) await writer.start()
  let reader: SqliteReader
  try {
    reader = translateErrors(path, () => new SqliteReader(path))
  } catch (error) {
    await writer.close()
    throw error
  }
  const forgetFile = rememberFile(path)
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
      forgetFile()
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

/** Caches single rows. Used until any process commits a change. A row can be newer: after a commit, but before the next reader is created. */
class LatestReader extends Connection implements SnapshotReader {
  readonly sql = SQL_FRAGMENTS
  readonly #reader: SnapshotReader
  readonly #rows = new LruCache<unknown>(MAX_CACHED_ROWS, () => 1)

  constructor(reader: SnapshotReader) {
    super()
    this.#reader = reader
  }

  async read(read: Read): Promise<unknown> {
    if (read.returns !== 'row') return this.#reader.read(read)
    const key = cacheKey(read.statement, read.values)
    const cachedRow = this.#rows.get(key)
    if (cachedRow !== undefined) return cachedRow
    const row = await this.#reader.read(read)
    if (row !== undefined) this.#rows.set(key, Object.freeze(row))
    return row
  }

  cachedRow<Row>(statement: string, ...values: Value[]): Row | undefined {
    return this.#rows.get(cacheKey(statement, values)) as Row | undefined
  }

  snapshot<Result>(
    kind: SnapshotKind,
    work: (snapshot: Connection) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    return this.#reader.snapshot(kind, work, signal)
  }
}

/** Different values have different keys: each value starts with its type and its length. */
function cacheKey(statement: string, values: Value[]): string {
  let key = statement
  for (const value of values) {
    if (typeof value === 'string') key += `\0s${value.length} ${value}`
    else if (value instanceof Uint8Array) {
      const { buffer, byteOffset, length } = value
      key += `\0b${length} ${Buffer.from(buffer, byteOffset, length).toString('latin1')}`
    } else key += `\0n${value}`
  }
  return key
}

class SqliteReader extends SqliteConnection implements Reader {
  readonly hasRowCache = true
  readonly #queryThreads: QueryThreads
  readonly #connections: SqliteConnections
  /** Its row changes if and only if another connection has committed. This connection does not write. */
  readonly #dataVersionStatement: StatementSync
  #dataVersion: unknown
  #latestReader = new LatestReader(this)

  constructor(path: string) {
    super(path, openDatabase(path, { readOnly: true }))
    this.#connections = new SqliteConnections(path, { isReadOnly: true, maxIdle: MAX_IDLE_CONNECTIONS })
    this.#queryThreads = new QueryThreads(path)
    this.#dataVersionStatement = this.database.prepare('PRAGMA data_version')
  }

  latest(): SnapshotReader {
    let dataVersion: unknown
    try {
      dataVersion = this.#dataVersionStatement.get()?.data_version
    } catch (error) {
      throw asProblem(this.path, error)
    }
    if (dataVersion !== this.#dataVersion) this.#latestReader = new LatestReader(this)
    this.#dataVersion = dataVersion
    return this.#latestReader
  }

  /** A `query` snapshot runs on a query thread. Other snapshots are read transactions on their own connections. */
  async snapshot<Result>(
    kind: SnapshotKind,
    work: (snapshot: Connection) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    if (kind === 'query') return this.#queryThreads.snapshot(work, signal)
    let snapshot: SqliteConnection
    try {
      snapshot = this.#connections.begin()
    } catch (error) {
      throw isDamaged(error) ? asProblem(this.path, error) : unavailableError(error)
    }
    try {
      return await work(snapshot)
    } finally {
      this.#connections.release(snapshot)
    }
  }

  /** VACUUM INTO copies one snapshot, without free pages. */
  backup(file: string): void {
    this.run('VACUUM INTO ?', [[file]])
  }

  checkIntegrity(): string[] {
    const trees = this.#listTrees()
    const problems = this.#checkPages(trees)
    if (problems.length > 0) return problems.map((line) => nameTree(line, trees))
    const orphanRows = this.prepare('PRAGMA foreign_key_check').all() as { table: string }[]
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
    const rows = this.prepare(statement).all() as { integrity_check: string }[]
    const lines = rows.flatMap(({ integrity_check }) => integrity_check.split('\n'))
    return lines.filter((line) => line !== 'ok' && line !== '*** in database main ***')
  }

  #listTrees(): Tree[] {
    return this.prepare('SELECT type, name, rootpage FROM sqlite_schema').all() as unknown as Tree[]
  }

  override async close(): Promise<void> {
    await this.#queryThreads.close()
    this.#connections.close()
    super.close()
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
