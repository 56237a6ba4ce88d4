// Opens the store a URL names, at the schema this version reads.
import { dirname, join } from 'node:path'
import { CommandError } from '../errors.ts'
import type { Connection, Dialect } from './dialect/dialect.ts'
import { openSqlite } from './dialect/sqlite.ts'
import { migrate } from './migrations/migrations.ts'

export type { Connection, Reader, Transaction, Writer } from './dialect/dialect.ts'

export type Store = Omit<Dialect, 'engine'>

/** Where the store is: the URL given, else a file inside the data folder. */
export function storeUrl(settings: { data: string; database: string | undefined }): string {
  return settings.database ?? `sqlite:${join(settings.data, 'assay.db')}`
}

/** Where files may lie for a while: beside an embedded store, else in the data folder. */
export function scratchFolder(settings: { data: string; database: string | undefined }): string {
  const file = sqliteFile(storeUrl(settings))
  return file === undefined ? settings.data : dirname(file)
}

/** A store that is not there is made, unless the caller has no use for an empty one. */
export async function openStore(url: string, { mayMake = true } = {}): Promise<Store> {
  const dialect = await openDialect(url, mayMake)
  try {
    await migrate(dialect)
  } catch (error) {
    await dialect.close()
    throw error
  }
  return dialect
}

/** The schemes a store's URL may have; each opens one engine. */
function openDialect(url: string, mayMake: boolean): Promise<Dialect> {
  const file = sqliteFile(url)
  if (file !== undefined) return openSqlite(file, mayMake)
  throw new CommandError(
    `The store URL '${url}' is of no kind that Assay opens.`,
    'Use sqlite:FILE, for example --database sqlite:./data/assay.db.',
    2,
  )
}

function sqliteFile(url: string): string | undefined {
  return /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1]
}

/** Whether no project has an evaluation or a variant. */
export async function isEmpty(connection: Connection): Promise<boolean> {
  const first = await connection.get('SELECT 1 FROM evaluation UNION ALL SELECT 1 FROM variant LIMIT 1')
  return first === undefined
}
