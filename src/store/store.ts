// Opens the store a URL names, at the schema this version reads.
import { dirname, join } from 'node:path'
import { CommandError } from '../errors.ts'
import type { Connection, Dialect, NetworkSettings, ServerChange, Transaction } from './dialect/dialect.ts'
import { openSqlite } from './dialect/sqlite.ts'
import { migrate } from './migrations/migrations.ts'

export type { Connection, Reader, Transaction, Writer } from './dialect/dialect.ts'

export type Store = Omit<Dialect, 'engine' | 'migrate'>

export interface StoreSettings extends NetworkSettings {
  data: string
  database: string | undefined
}

/** Where the store is: the URL given, else a file inside the data folder. */
function storeUrl({ data, database }: Pick<StoreSettings, 'data' | 'database'>): string {
  return database ?? `sqlite:${join(data, 'assay.db')}`
}

/** Where files may lie for a while: beside an embedded store, else in the data folder. */
export function scratchFolder(settings: Pick<StoreSettings, 'data' | 'database'>): string {
  const file = sqliteFile(storeUrl(settings))
  return file === undefined ? settings.data : dirname(file)
}

/** Where finished files of answers are: all of it may be deleted at any time. */
export function renditionFolder(settings: Pick<StoreSettings, 'data' | 'database'>): string {
  return join(scratchFolder(settings), 'renditions')
}

export interface OpenOptions {
  mayMake?: boolean
  onChange?: (change: ServerChange) => void
}

/** A store that is not there is made, unless the caller has no use for an empty one. */
export async function openStore(
  settings: StoreSettings,
  { mayMake = true, onChange = () => undefined }: OpenOptions = {},
): Promise<Store> {
  const dialect = await openDialect(settings, mayMake, onChange)
  try {
    await migrate(dialect, deriveAgain)
  } catch (error) {
    await dialect.close()
    throw error
  }
  return dialect
}

/** Loaded when it is wanted: hardly any start has to. */
async function deriveAgain(transaction: Transaction): Promise<void> {
  const { deriveAgain } = await import('./derive-again.ts')
  await deriveAgain(transaction)
}

/** The schemes a store's URL may have; each opens one engine. */
async function openDialect(
  settings: StoreSettings,
  mayMake: boolean,
  onChange: (change: ServerChange) => void,
): Promise<Dialect> {
  const url = storeUrl(settings)
  const file = sqliteFile(url)
  if (file !== undefined && settings.replica.length === 0) return openSqlite(file, mayMake)
  if (file !== undefined) throw new CommandError('An embedded store has no replicas.', USE_URL, 2)
  for (const one of [url, ...settings.replica]) if (!isPostgres(one)) throw unknownUrl(one)
  // Loaded when it is wanted: whoever uses an embedded store needs no driver.
  const { openPostgres } = await import('./dialect/postgres.ts')
  return openPostgres(url, mayMake, settings, onChange)
}

function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:\/\/./.test(url) && URL.canParse(url)
}

const USE_URL =
  'Use sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE; in a password / is %2F, # is %23, ? is %3F and @ is %40.'

/** It may hold a password: only its scheme is shown. */
function unknownUrl(url: string): CommandError {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0] ?? ''
  return new CommandError(`The store URL ${scheme}… is none that Assay can open.`, USE_URL, 2)
}

function sqliteFile(url: string): string | undefined {
  return /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1]
}

/** Whether no project has an evaluation or a variant. */
export async function isEmpty(connection: Connection): Promise<boolean> {
  const first = await connection.get('SELECT 1 FROM evaluation UNION ALL SELECT 1 FROM variant LIMIT 1')
  return first === undefined
}
