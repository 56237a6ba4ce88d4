// Dumps a whole store as text, so that tests can check that nothing has changed.
import { DatabaseSync } from 'node:sqlite'
import type { Store } from '../../src/store/store.ts'
import { ENGINE } from './harness.ts'

/** Returns a function that dumps the current content of the store. */
export function storeDump({ reader, file }: Store): () => Promise<string> {
  // SQLite counts the commits of other connections, so that most dumps need not read the store again.
  const database = file === undefined ? undefined : new DatabaseSync(file, { readOnly: true })
  let lastDump: { version: unknown; text: string } | undefined

  async function tables(): Promise<string[]> {
    const rows = await reader.all<{ name: string }>(reader.sql.tables)
    const names = rows.map(({ name }) => name).sort()
    return names.filter((name) => name !== 'migration' && !name.startsWith('sqlite_'))
  }

  async function linesOf(table: string): Promise<string[]> {
    // On PostgreSQL a digest per table is faster than reading all rows.
    if (ENGINE === 'postgres') {
      const digestSql = `SELECT count(*)::text AS count, md5(string_agg(t::text, ',' ORDER BY t::text)) AS digest FROM ${table} AS t`
      return [JSON.stringify(await reader.get(digestSql))]
    }
    const rows = await reader.all<Record<string, unknown>>(`SELECT * FROM ${table}`)
    return rows.map(lineOf).sort()
  }

  return async () => {
    const version = database?.prepare('PRAGMA data_version').get()?.data_version
    if (version !== undefined && lastDump?.version === version) return lastDump.text
    const parts = (await tables()).map(async (name) => [`-- ${name}`, ...(await linesOf(name))].join('\n'))
    const text = (await Promise.all(parts)).join('\n')
    lastDump = { version, text }
    return text
  }
}

function lineOf(row: Record<string, unknown>): string {
  const values = Object.values(row)
  return JSON.stringify(
    values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)),
  )
}
