// A whole store as text, to show that something left it as it was.
import type { Store } from '../src/store/store.ts'
import { ENGINE } from './harness.ts'

/** What gives everything that is stored at the moment, as text. */
export function storeDump({ reader }: Store): () => Promise<string> {
  async function tables(): Promise<string[]> {
    const rows = await reader.all<{ name: string }>(reader.sql.tables)
    const names = rows.map(({ name }) => name).sort()
    return names.filter((name) => name !== 'migration' && !name.startsWith('sqlite_'))
  }

  async function linesOf(table: string): Promise<string[]> {
    // A server tells of a table as a whole sooner than of its rows.
    if (ENGINE === 'postgres') {
      const all = `SELECT count(*)::text AS count, md5(string_agg(t::text, ',' ORDER BY t::text)) AS digest FROM ${table} AS t`
      return [JSON.stringify(await reader.get(all))]
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
    values.map((one) => (one instanceof Uint8Array ? Buffer.from(one).toString('hex') : one)),
  )
}
