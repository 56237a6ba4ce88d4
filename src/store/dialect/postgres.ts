// PostgreSQL through pg: a primary that is read and written, and replicas that are read.
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError, NoStore } from '../../errors.ts'
import type { Dialect, NetworkSettings, ServerChange } from './dialect.ts'
import { asProblem } from './postgres-errors.ts'
import { PostgresPool, use } from './postgres-pool.ts'
import { PostgresReader } from './postgres-reader.ts'
import { PostgresWriter } from './postgres-writer.ts'
import { isUnavailable } from './unavailable.ts'

/** The oldest version that its makers still look after. */
const OLDEST = 14

export async function openPostgres(
  url: string,
  mayMake: boolean,
  settings: NetworkSettings,
  onChange: (change: ServerChange) => void,
): Promise<Dialect> {
  const { pool_timeout: waitMs, statement_timeout: statementMs } = settings
  const pool = (url: string, size: number) =>
    new PostgresPool({
      url,
      size,
      waitMs,
      statementMs,
      onChange: (failure) => onChange({ server: placeOf(url), failure }),
    })
  const primary = pool(url, settings.pool_size)
  const replicas = settings.replica.map((replica) => pool(replica, settings.pool_size))
  const writing = pool(url, settings.write_pool_size)
  const reader = new PostgresReader(primary, replicas)
  const writer = new PostgresWriter(writing, statementMs)
  const close = async () => {
    await Promise.all([primary, writing, ...replicas].map((pool) => pool.close()))
  }
  try {
    await checkServer(reader, url, waitMs)
    for (const [index, replica] of replicas.entries()) await checkReplica(replica, settings.replica[index])
    if (!mayMake) await refuseEmpty(reader, url)
  } catch (error) {
    await close()
    throw error
  }
  return {
    engine: 'postgres',
    reader,
    writer,
    migrate: (work) => writer.migrate(work).catch((error) => throwRefused(url, error)),
    backup: () => {
      throw new CommandError(
        'A store in PostgreSQL is backed up with the tools of PostgreSQL.',
        'pg_dump --format=custom --file=FILE URL writes one consistent copy while it is being used.',
      )
    },
    // PostgreSQL looks after its own files; what belongs to what, its constraints hold.
    integrity: async () => [],
    close,
  }
}

/** A server that is only just starting is waited for, as long as for a connection. */
async function checkServer(reader: PostgresReader, url: string, waitMs: number): Promise<void> {
  for (const start = performance.now(); ; await delay(100)) {
    try {
      const server = await reader.get<{ version: number; encoding: string }>(
        `SELECT current_setting('server_version_num')::int / 10000 AS version,
           current_setting('server_encoding') AS encoding`,
      )
      return refuseUnfit(server, url)
    } catch (error) {
      if (error instanceof CommandError) throw error
      const isOver = performance.now() - start > waitMs
      if (isOver || isRefusal(error)) throw cannotOpen(url, error)
    }
  }
}

function refuseUnfit(server: { version: number; encoding: string } | undefined, url: string): void {
  if (!server || server.version < OLDEST) {
    throw new CommandError(
      `The server at ${placeOf(url)} is PostgreSQL ${server?.version}; version ${OLDEST} or later is needed.`,
      'Nothing was changed.',
    )
  }
  if (server.encoding !== 'UTF8') {
    throw new CommandError(
      `The database at ${placeOf(url)} keeps its texts as ${server.encoding}, which cannot hold every result.`,
      `Nothing was changed. Make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    )
  }
}

/** One that is away will be told of, and may come back. */
async function checkReplica(replica: PostgresPool, url = ''): Promise<void> {
  const inRecovery = 'SELECT pg_is_in_recovery() AS "isReplica"'
  const isReplica = await use(replica, 'short', (connection) =>
    connection.get<{ isReplica: boolean }>(inRecovery),
  ).catch((error: unknown) => {
    if (isUnavailable(error)) return undefined
    throw error
  })
  if (isReplica?.isReplica !== false) return
  throw new CommandError(
    `The server at ${placeOf(url)} follows no other: it is not a replica.`,
    'Check --replica; the server that is written to is named with --database.',
    2,
  )
}

async function refuseEmpty(reader: PostgresReader, url: string): Promise<void> {
  const tables = await reader.all<{ name: string }>(reader.sql.tables)
  if (tables.some(({ name }) => name === 'migration')) return
  throw new NoStore(
    `There is no store in the database at ${placeOf(url)}.`,
    'assay serve, assay import and assay keys create make a new one.',
  )
}

/** A wrong password, role or database does not become right by waiting. */
function isRefusal(error: unknown): boolean {
  return !isUnavailable(asProblem(causeOf(error)))
}

/** A role that may not make tables, or a database in which something else has their names. */
function throwRefused(url: string, error: unknown): never {
  const isRefused = String((error as { code?: unknown }).code).startsWith('42')
  throw isRefused ? cannotOpen(url, error) : error
}

function cannotOpen(url: string, error: unknown): CommandError {
  const { message } = causeOf(error) as Error
  return new CommandError(
    `Cannot open the store in the database at ${placeOf(url)}: ${message}`,
    'Check --database, that the server runs, and that the role may make tables in a database of its own.',
  )
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? causeOf(error.cause) : error
}

/** Without user and password. */
function placeOf(url: string): string {
  const { host = '', pathname = '' } = URL.parse(url) ?? {}
  return `${host}${pathname}`
}
