// Dumps a whole store as text, so that tests can check that nothing has changed.
import type { Store } from '../../src/store/store.ts'
import { ENGINE } from './harness.ts'

/** Returns a function that dumps the current content of the store. */
export function storeDump({ reader }: Store): () => Promise<string> {
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
    const parts = (await tables()).map(async (name) => [`-- ${name}`, ...(await linesOf(name))].join('\n'))
    return (await Promise.all(parts)).join('\n')
  }
}

function lineOf(row: Record<string, unknown>): string {
  const values = Object.values(row)
  return JSON.stringify(
    values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)),
  )
}
