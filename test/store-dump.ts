// A whole store as text, to show that something left it as it was.
import { DatabaseSync } from 'node:sqlite'
import { after } from 'node:test'

/** What gives everything that is stored at the moment, as text. */
export function storeDump({ url }: { url: string }): () => string {
  const file = new DatabaseSync(url.replace('sqlite:', ''), { readOnly: true })
  after(() => file.close())

  function tables(): string[] {
    const names = file
      .prepare(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
      )
      .all()
      .map(({ name }) => String(name))
    return names.filter((name) => name !== 'migration')
  }

  function lines(table: string): string[] {
    const columns = file.prepare(`PRAGMA table_info(${table})`).all()
    const order = columns.map((_, index) => index + 1).join(', ')
    return file.prepare(`SELECT * FROM ${table} ORDER BY ${order}`).all().map(lineOf)
  }

  return () =>
    tables()
      .map((name) => [`-- ${name}`, ...lines(name)].join('\n'))
      .join('\n')
}

function lineOf(row: Record<string, unknown>): string {
  const values = Object.values(row)
  return JSON.stringify(
    values.map((one) => (one instanceof Uint8Array ? Buffer.from(one).toString('hex') : one)),
  )
}
