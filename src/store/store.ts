// Opens the store that a URL names and migrates it to the current schema.
import { dirname, join } from 'node:path'
import { CommandError } from '../errors.ts'
import { DELETED_PROJECT } from './access/projects.ts'
import { LoggedWriter } from './changes/logged-writer.ts'
import type { Connection, Dialect, NetworkSettings, ServerChange, Writer } from './dialect/dialect.ts'
import { checkWritable } from './dialect/sqlite/file.ts'
import { openSqlite } from './dialect/sqlite/sqlite.ts'
import { migrate } from './migrations/migrations.ts'

export type { Actor, Connection, Reader, SnapshotReader, Transaction, Writer } from './dialect/dialect.ts'

export type Store = Omit<Dialect, 'engine' | 'migrate' | 'writer'> & { readonly writer: Writer }

export interface StoreSettings extends NetworkSettings {
  data: string
  database: string | undefined
}

/** The configured database URL, or by default a SQLite file in the data folder. */
function getStoreUrl({ data, database }: Pick<StoreSettings, 'data' | 'database'>): string {
  return database ?? `sqlite:${join(data, 'assay.db')}`
}

/** The path of the SQLite file, or undefined for PostgreSQL. */
export function sqliteFileOf(settings: Pick<StoreSettings, 'data' | 'database'>): string | undefined {
  return parseSqliteFile(getStoreUrl(settings))
}

/** The folder for temporary files: that of the SQLite file, or the data folder. */
export function temporaryFolder(settings: Pick<StoreSettings, 'data' | 'database'>): string {
  const file = sqliteFileOf(settings)
  return file === undefined ? settings.data : dirname(file)
}

/** SQLite runs each query on a thread of its own. */
const MAX_SQLITE_QUERIES = 3

/** How many queries of requests this process can run at the same time. On PostgreSQL, long responses need connections too. */
export function maxQueries(settings: StoreSettings & { workers: number }): number {
  if (sqliteFileOf(settings) !== undefined)
    return Math.max(2, Math.floor(MAX_SQLITE_QUERIES / settings.workers))
  const connections = settings.pool_size * Math.max(1, settings.replica.length)
  return Math.max(1, Math.floor(0.3 * connections))
}

export interface OpenOptions {
  /** Default: true. */
  createIfMissing?: boolean
  /** Whether a store that this user cannot write to is an error. Default: false, because many commands only read. */
  mustBeWritable?: boolean
  /** Whether SQLite transactions run in the calling thread. Default: false, because a service must not be blocked. */
  writesHere?: boolean
  /** Called when a PostgreSQL server becomes unreachable or reachable again. */
  onChange?: (change: ServerChange) => void
  /** Called with the name of each migration that was applied. */
  onMigration?: (name: string) => void
}

/** Throws CommandError if the store cannot be opened. */
export async function openStore(
  settings: StoreSettings,
  {
    createIfMissing = true,
    mustBeWritable = false,
    writesHere = false,
    onChange = () => undefined,
    onMigration,
  }: OpenOptions = {},
): Promise<Store> {
  const file = sqliteFileOf(settings)
  if (mustBeWritable && file !== undefined) checkWritable(file)
  const dialect = await openDialect(settings, { createIfMissing, writesHere }, onChange)
  try {
    await migrate(dialect, onMigration)
  } catch (error) {
    await dialect.close()
    throw error
  }
  return { ...dialect, writer: new LoggedWriter(dialect.writer) }
}

async function openDialect(
  settings: StoreSettings,
  options: { createIfMissing: boolean; writesHere: boolean },
  onChange: (change: ServerChange) => void,
): Promise<Dialect> {
  const url = getStoreUrl(settings)
  const file = parseSqliteFile(url)
  if (file !== undefined && settings.replica.length === 0) return openSqlite(file, options)
  if (file !== undefined) throw new CommandError('SQLite does not support replicas.', URL_HINT, 2)
  for (const serverUrl of [url, ...settings.replica]) {
    if (!isPostgresUrl(serverUrl)) throw unsupportedUrlError(serverUrl)
  }
  // Imported on demand: SQLite needs no PostgreSQL driver.
  const { openPostgres } = await import('./dialect/postgres/postgres.ts')
  return openPostgres(url, options.createIfMissing, settings, onChange)
}

function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\/./.test(url) && URL.canParse(url)
}

const URL_HINT =
  'Use sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE. Percent-encode the password: / as %2F, # as %23, ? as %3F, @ as %40.'

/** The URL can contain a password, so the message shows only its scheme. */
function unsupportedUrlError(url: string): CommandError {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0] ?? ''
  return new CommandError(`The store URL ${scheme}… is not supported.`, URL_HINT, 2)
}

function parseSqliteFile(url: string): string | undefined {
  return /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1]
}

/** Whether the store has no evaluation and no variant. */
export async function isStoreEmpty(connection: Connection): Promise<boolean> {
  const row = await connection.get(
    `SELECT 1 FROM evaluation WHERE project <> ${DELETED_PROJECT} UNION ALL SELECT 1 FROM variant LIMIT 1`,
  )
  return row === undefined
}
