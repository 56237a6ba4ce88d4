// Brings a store to the schema this version reads. The list only grows; a landed migration never changes.
import { CommandError } from '../../errors.ts'
import type { Connection, Dialect, Transaction } from '../dialect/dialect.ts'
import * as tables from './0001-tables.ts'
import * as writing from './0002-writing.ts'
import * as reading from './0003-reading.ts'
import * as shares from './0004-shares.ts'

interface NumberedMigration {
  name: string
  /** For every engine, under its name. */
  text: Record<Dialect['engine'], string>
  /** Whether it leaves what is derived from bodies empty, to be derived again. Only the last one such does. */
  derivesAgain?: true
}

/** In order. */
const MIGRATIONS: NumberedMigration[] = [
  { name: '0001-tables', text: tables },
  { name: '0002-writing', text: writing },
  { name: '0003-reading', text: reading, derivesAgain: true },
  { name: '0004-shares', text: shares },
]

/**
 * Applies what is missing, each migration in a transaction of its own. `deriveAgain` fills what is derived from bodies.
 * Refuses a store of a newer version.
 */
export async function migrate(
  dialect: Dialect,
  deriveAgain: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  // Most starts have nothing to do, and then must not wait for another process that is writing.
  const applied = await dialect.reader.snapshot('short', appliedMigrations)
  refuseNewer(applied)
  if (applied.length === MIGRATIONS.length) return
  for (const { name, text, derivesAgain } of MIGRATIONS) {
    await dialect.migrate(async (migration) => {
      // Asked again, now that no other process migrates: one may have been first.
      const applied = await appliedMigrations(migration)
      refuseNewer(applied)
      if (applied.includes(name)) return
      if (applied.length === 0) await migration.script(MIGRATION_TABLE)
      await migration.script(text[dialect.engine])
      if (derivesAgain) await deriveAgain(migration)
      await migration.run('INSERT INTO migration (name, applied_at) VALUES (?, ?)', name, now())
    })
  }
}

const MIGRATION_TABLE = 'CREATE TABLE migration (name TEXT NOT NULL PRIMARY KEY, applied_at TEXT NOT NULL)'

async function appliedMigrations(connection: Connection): Promise<string[]> {
  const tables = await connection.all<{ name: string }>(connection.sql.tables)
  const names = new Set(tables.map(({ name }) => name))
  refuseForeign(names)
  if (!names.has('migration')) return []
  const rows = await connection.all<{ name: string }>('SELECT name FROM migration ORDER BY name')
  return rows.map(({ name }) => name)
}

/** Tables of another program may have the names of ours. The first migration makes its own all together. */
function refuseForeign(names: Set<string>): void {
  const made = MIGRATIONS.map(({ text }) =>
    [...text.sqlite.matchAll(/CREATE TABLE (\w+)/g)].map(([, name = '']) => name),
  )
  const foreign = names.has('migration')
    ? made[0]?.some((name) => !names.has(name)) && 'migration'
    : made.flat().find((name) => names.has(name))
  if (!foreign) return
  throw new CommandError(
    `The database has a table '${foreign}' that is not of Assay.`,
    'Nothing was changed. Give Assay a database, or a schema, of its own.',
  )
}

function refuseNewer(applied: string[]): void {
  const known = new Set(MIGRATIONS.map(({ name }) => name))
  const unknown = applied.find((name) => !known.has(name))
  if (unknown === undefined) return
  throw new CommandError(
    `This store was written by a newer version of Assay (it has the migration ${unknown}).`,
    'Nothing was changed. Start that version, or a later one, on this store.',
  )
}

function now(): string {
  return new Date().toISOString()
}
