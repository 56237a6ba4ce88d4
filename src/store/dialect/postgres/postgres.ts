// The PostgreSQL engine (pg): a primary server for reads and writes, and optional read replicas.
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError, StoreNotFound } from '../../../errors.ts'
import type { Dialect, NetworkSettings, ServerChange } from '../dialect.ts'
import { isUnavailable } from '../errors.ts'
import type { ServerFeatures } from './connection.ts'
import { isCopyUnsupported } from './elements-query.ts'
import { isTransient } from './errors.ts'
import { LONG_WAIT_FACTOR, PostgresPool } from './pool.ts'
import { PostgresReader } from './reader.ts'
import { PostgresWriter } from './writer.ts'

/** The oldest version that PostgreSQL still maintains. */
const MIN_VERSION = 14
/** Write connections per read connection. Writes of one evaluation wait for each other, so few are enough. */
const WRITE_SHARE = 0.4

export async function openPostgres(
  url: string,
  createIfMissing: boolean,
  settings: NetworkSettings,
  onChange: (change: ServerChange) => void,
): Promise<Dialect> {
  const { pool_timeout: waitMs, statement_timeout: statementMs } = settings
  const features: ServerFeatures = { hasBinaryCopy: true }
  const createPool = (url: string, size: number, waitMs: number) =>
    new PostgresPool({
      url,
      size,
      waitMs,
      statementMs,
      features,
      onChange: (failure) => onChange({ server: locationOf(url), failure }),
    })
  const primary = createPool(url, settings.pool_size, waitMs)
  const replicas = settings.replica.map((replica) => createPool(replica, settings.pool_size, waitMs))
  const writePoolSize = Math.max(1, Math.floor(WRITE_SHARE * settings.pool_size))
  const writePool = createPool(url, writePoolSize, LONG_WAIT_FACTOR * waitMs)
  const reader = new PostgresReader(primary, replicas, settings.query_timeout)
  const writer = new PostgresWriter(writePool, statementMs)
  const close = async () => {
    await Promise.all([primary, writePool, ...replicas].map((pool) => pool.close()))
  }
  try {
    await checkServer(reader, url, waitMs)
    features.hasBinaryCopy = await supportsBinaryCopy(reader)
    for (const [index, replica] of replicas.entries()) await checkReplica(replica, settings.replica[index])
    if (!createIfMissing) await rejectMissingStore(reader, url)
  } catch (error) {
    await close()
    throw error
  }
  return {
    engine: 'postgres',
    reader,
    writer,
    migrate: (work) => writer.migrate(work).catch((error) => throwMigrationError(url, error)),
    backup: () => {
      throw new CommandError(
        'assay backup does not support PostgreSQL.',
        'pg_dump --format=custom --file=FILE URL writes a consistent copy while the store is in use.',
      )
    },
    compact: () => {
      throw new CommandError(
        'assay compact does not support PostgreSQL.',
        'PostgreSQL uses the space of deleted rows again (autovacuum). VACUUM FULL returns it to the file system, and blocks all access meanwhile.',
      )
    },
    // PostgreSQL checks its files itself.
    checkIntegrity: async () => [],
    close,
  }
}

/** Retries for as long as a request would wait for a connection, because the server can still be starting. */
async function checkServer(reader: PostgresReader, url: string, waitMs: number): Promise<void> {
  for (const start = performance.now(); ; await delay(100)) {
    try {
      const server = await reader.get<{ version: number; encoding: string }>(
        `SELECT current_setting('server_version_num')::int / 10000 AS version,
           current_setting('server_encoding') AS encoding`,
      )
      return rejectUnsupported(server, url)
    } catch (error) {
      if (error instanceof CommandError) throw error
      const isTimedOut = performance.now() - start > waitMs
      if (isTimedOut || isPermanentError(error)) throw cannotOpenError(url, error)
    }
  }
}

/** Replicas run the same software as the primary, so only the primary is tested. */
async function supportsBinaryCopy(reader: PostgresReader): Promise<boolean> {
  try {
    await reader.joinElements("SELECT 1 AS ordinal, '' AS element", ',')
    return true
  } catch (error) {
    if (isCopyUnsupported(error)) return false
    throw error
  }
}

function rejectUnsupported(server: { version: number; encoding: string } | undefined, url: string): void {
  if (!server || server.version < MIN_VERSION) {
    throw new CommandError(
      `The server at ${locationOf(url)} runs PostgreSQL ${server?.version}. Assay needs version ${MIN_VERSION} or later.`,
      'Nothing was changed. Upgrade the server or use another one.',
    )
  }
  if (server.encoding !== 'UTF8') {
    throw new CommandError(
      `The database at ${locationOf(url)} has the encoding ${server.encoding}. Assay needs UTF8.`,
      `Nothing was changed. Create a database with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    )
  }
}

/** An unreachable replica is accepted: the pool reports it and it can come back. */
async function checkReplica(replica: PostgresPool, url = ''): Promise<void> {
  const statement = 'SELECT pg_is_in_recovery() AS "isReplica"'
  const read = replica.use('short', (connection) => connection.get<{ isReplica: boolean }>(statement))
  const state = await read.catch((error: unknown) => {
    if (isUnavailable(error)) return undefined
    throw error
  })
  if (state?.isReplica !== false) return
  throw new CommandError(
    `The server at ${locationOf(url)} is not a replica.`,
    'Check --replica. Name the primary server with --database.',
    2,
  )
}

async function rejectMissingStore(reader: PostgresReader, url: string): Promise<void> {
  const tables = await reader.all<{ name: string }>(reader.sql.tables)
  if (tables.some(({ name }) => name === 'migration')) return
  throw new StoreNotFound(
    `There is no store in the database at ${locationOf(url)}.`,
    'Check --database. To create a store, run assay serve, assay import or assay keys create.',
  )
}

/** Whether waiting cannot help, for example with a wrong password, role or database name. */
function isPermanentError(error: unknown): boolean {
  return !causesOf(error).some(isTransient)
}

/** SQLSTATE class 42: the role cannot create tables, or an object with the same name exists. */
function throwMigrationError(url: string, error: unknown): never {
  const isAccessError = String((error as { code?: unknown }).code).startsWith('42')
  throw isAccessError ? cannotOpenError(url, error) : error
}

function cannotOpenError(url: string, error: unknown): CommandError {
  const { message } = causesOf(error).at(-1) as Error
  return new CommandError(
    `Cannot open the store in the database at ${locationOf(url)}: ${message}`,
    'Check --database, that the server is running, and that the role can create tables in a database of its own.',
  )
}

/** The error and its causes, the original one last. */
function causesOf(error: unknown): unknown[] {
  return error instanceof Error && error.cause !== undefined ? [error, ...causesOf(error.cause)] : [error]
}

/** The host and path of a URL, without user and password. */
function locationOf(url: string): string {
  const { host = '', pathname = '' } = URL.parse(url) ?? {}
  return `${host}${pathname}`
}
