// Turns a store into one of version 0.1, so that benchmarks and tests can migrate it.
import { renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { MIGRATIONS } from '../src/store/migrations/migration-list.ts'

/** The last migration of version 0.1. */
const LAST_MIGRATION = '0004-shares'
const OLD_MIGRATIONS = MIGRATIONS.filter(({ name }) => name <= LAST_MIGRATION)

/** Replaces a closed store by a store of version 0.1 with the same data, as far as that version stored it. */
export async function downgradeStore(url: string): Promise<void> {
  if (url.startsWith('sqlite:')) downgradeFile(url.slice('sqlite:'.length))
  else await downgradeDatabase(url)
}

function schemaOf(engine: 'sqlite' | 'postgres'): string {
  return [
    'CREATE TABLE migration (name TEXT NOT NULL PRIMARY KEY, applied_at TEXT NOT NULL);',
    ...OLD_MIGRATIONS.map(({ sql }) => sql[engine]),
    ...OLD_MIGRATIONS.map(({ name }) => `INSERT INTO migration VALUES ('${name}', '');`),
  ].join('\n')
}

/** The project of deleted evaluations is newer, and so is the list of migrations. */
function copyStatement(table: string, columns: string[], options = ''): string {
  const list = columns.join(', ')
  const condition = table === 'project' ? 'WHERE key <> 0' : ''
  return `INSERT INTO old.${table} (${list}) ${options} SELECT ${list} FROM main.${table} ${condition}`
}

function downgradeFile(file: string): void {
  const oldFile = `${file}-old`
  const source = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  const old = new DatabaseSync(oldFile)
  for (const pragma of ['page_size', 'application_id'])
    old.exec(`PRAGMA ${pragma} = ${source.prepare(`PRAGMA ${pragma}`).get()?.[pragma]}`)
  old.exec(`PRAGMA journal_mode = WAL; ${schemaOf('sqlite')}`)
  old.close()
  source.exec(`ATTACH '${oldFile}' AS old; PRAGMA old.synchronous = OFF`)
  const tables = source
    .prepare(
      `SELECT name FROM old.sqlite_schema
       WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migration'`,
    )
    .all()
  for (const { name } of tables) {
    const columns = source.prepare(`SELECT name FROM pragma_table_info(?, 'old')`).all(String(name))
    source.exec(
      copyStatement(
        String(name),
        columns.map((column) => String(column.name)),
      ),
    )
  }
  source.close()
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
  renameSync(oldFile, file)
}

/** Copies within one database, from the schema of the store to a new one that replaces it. */
async function downgradeDatabase(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(`ALTER SCHEMA public RENAME TO main; CREATE SCHEMA old; SET search_path = old`)
    await client.query(schemaOf('postgres'))
    const { rows } = await client.query<{ name: string; columns: string[]; identity: string | null }>(
      `SELECT table_name AS name, array_agg(column_name::text ORDER BY ordinal_position) AS columns,
         max(column_name) FILTER (WHERE is_identity = 'YES') AS identity
       FROM information_schema.columns WHERE table_schema = 'old' AND table_name <> 'migration' GROUP BY table_name`,
    )
    // Foreign keys would need an order of the tables.
    await client.query('SET session_replication_role = replica')
    for (const { name, columns, identity } of rows) {
      await client.query(copyStatement(name, columns, identity ? 'OVERRIDING SYSTEM VALUE' : ''))
      if (identity)
        await client.query(
          `SELECT setval(pg_get_serial_sequence('old.${name}', '${identity}'), (SELECT coalesce(max(${identity}), 1) FROM old.${name}))`,
        )
    }
    await client.query('DROP SCHEMA main CASCADE; ALTER SCHEMA old RENAME TO public')
  } finally {
    await client.end()
  }
}
