// Migrates a store to the current schema.
import { CommandError } from '../../errors.ts'
import type { Connection, Dialect, EngineTransaction } from '../dialect/dialect.ts'
import { MIGRATIONS } from './migration-list.ts'

/**
 * Applies the missing migrations, each in its own transaction. `rebuildDerived` fills the tables that are derived from
 * stored bodies. Throws CommandError if a newer version of Assay has migrated the store.
 */
export async function migrate(
  dialect: Dialect,
  rebuildDerived: (transaction: EngineTransaction) => Promise<void>,
  onMigration: (name: string) => void = () => undefined,
): Promise<void> {
  // Usually nothing is missing. Then this must not wait for a process that is writing.
  const appliedNames = await dialect.reader.snapshot('short', readAppliedMigrations)
  rejectNewer(appliedNames)
  if (appliedNames.length === MIGRATIONS.length) return
  for (const { name, sql, rebuildsDerived } of MIGRATIONS) {
    let isApplied = false
    await dialect.migrate(async (migration) => {
      // Read again under the migration lock: another process can have migrated in between.
      const appliedNames = await readAppliedMigrations(migration)
      rejectNewer(appliedNames)
      if (appliedNames.includes(name)) return
      if (appliedNames.length === 0) await migration.script(MIGRATION_TABLE)
      await migration.script(sql[dialect.engine])
      if (rebuildsDerived) await rebuildDerived(migration)
      await migration.run('INSERT INTO migration (name, applied_at) VALUES (?, ?)', name, currentTime())
      isApplied = true
    })
    if (isApplied) onMigration(name)
  }
}

const MIGRATION_TABLE = 'CREATE TABLE migration (name TEXT NOT NULL PRIMARY KEY, applied_at TEXT NOT NULL)'

async function readAppliedMigrations(connection: Connection): Promise<string[]> {
  const tables = await connection.all<{ name: string }>(connection.sql.tables)
  const names = new Set(tables.map(({ name }) => name))
  rejectForeignTables(names)
  if (!names.has('migration')) return []
  const rows = await connection.all<{ name: string }>('SELECT name FROM migration ORDER BY name')
  return rows.map(({ name }) => name)
}

/** Another program can use the same table names. Assay's own tables all exist once `migration` does. */
function rejectForeignTables(names: Set<string>): void {
  const createdTables = MIGRATIONS.map(({ sql }) =>
    [...sql.sqlite.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/g)].map(([, name = '']) => name),
  )
  const foreignTable = names.has('migration')
    ? createdTables[0]?.some((name) => !names.has(name)) && 'migration'
    : createdTables.flat().find((name) => names.has(name))
  if (!foreignTable) return
  throw new CommandError(
    `The database has a table '${foreignTable}' that Assay did not create.`,
    'Nothing was changed. Use a separate database or schema for Assay.',
  )
}

function rejectNewer(appliedNames: string[]): void {
  const knownNames = new Set(MIGRATIONS.map(({ name }) => name))
  const unknownName = appliedNames.find((name) => !knownNames.has(name))
  if (unknownName === undefined) return
  throw new CommandError(
    `This store was migrated by a newer version of Assay (migration ${unknownName}).`,
    'Nothing was changed. Use that version or a later one.',
  )
}

function currentTime(): string {
  return new Date().toISOString()
}
