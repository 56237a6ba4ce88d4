// Tests that a migration which a later version adds upgrades a store, and that other stores are refused.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openStoreAt } from '../../bench/store.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import type { Dialect } from '../../src/store/dialect/dialect.ts'
import { openPostgres } from '../../src/store/dialect/postgres/postgres.ts'
import { openSqlite } from '../../src/store/dialect/sqlite/sqlite.ts'
import { forBothEngines, MIGRATIONS, migrate } from '../../src/store/migrations/migrations.ts'
import type { Store } from '../../src/store/store.ts'
import { sizes } from '../sizes.ts'
import { runAssayCommand } from '../support/command-runner/run.ts'
import { fillCorpus } from '../support/corpus.ts'
import { createStoreLocation, createTempFolder, ENGINE, SQLITE_ONLY } from '../support/harness.ts'
import { reportMeasurements } from '../support/measurements.ts'
import { storeDump } from '../support/store-dump.ts'
import { createNewerVersion } from '../support/upgraded-program.ts'

/** A migration that a later version could add: a column of evaluations, and a table. */
const ADDED = {
  name: '0002-added',
  sql: forBothEngines(
    `ALTER TABLE evaluation ADD COLUMN added INTEGER NOT NULL DEFAULT 7;
     CREATE TABLE added (name TEXT NOT NULL PRIMARY KEY) STRICT;`,
    'CREATE INDEX added_on_postgres ON added (name);',
  ),
}

function openDialect(url: string): Dialect | Promise<Dialect> {
  if (ENGINE === 'postgres') return openPostgres(url, true, defaultSettings(), () => undefined)
  return openSqlite(url.slice('sqlite:'.length), { createIfMissing: true, writesHere: true })
}

/** Migrates the store with one more migration. Returns the names of the applied ones, the schema and a dump of the data. */
async function upgrade(url: string) {
  const dialect = await openDialect(url)
  const applied: string[] = []
  await migrate(dialect, (name) => applied.push(name), [...MIGRATIONS, ADDED])
  const schema = await dialect.reader.all<{ line: string }>(
    ENGINE === 'postgres'
      ? `SELECT concat_ws(' ', table_name, column_name, data_type, collation_name, is_nullable, column_default) AS line
         FROM information_schema.columns WHERE table_schema = current_schema()
         UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1`
      : `SELECT sql AS line FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY 1`,
  )
  await dialect.reader.all('SELECT name FROM added')
  const dump = await storeDump(dialect as unknown as Store)()
  await dialect.close()
  return { applied, dump, schema: schema.map(({ line }) => line) }
}

test('upgrades a store to the same schema as a new one, and preserves its data', async (t) => {
  const location = await createStoreLocation()
  const store = await openStoreAt(location.url)
  await fillCorpus(store)
  const dumpBefore = await storeDump(store)()
  await store.close()
  const upgraded = await upgrade(location.url)
  assert.deepEqual(upgraded.applied, [ADDED.name])
  const fresh = await upgrade((await createStoreLocation()).url)
  assert.deepEqual(
    fresh.applied,
    [...MIGRATIONS, ADDED].map(({ name }) => name),
  )
  assert.deepEqual(upgraded.schema, fresh.schema)
  if (ENGINE === 'sqlite')
    assert.equal(upgraded.dump.replace(/-- added\n/, '').replaceAll(',7]', ']'), dumpBefore)
  assert.deepEqual((await upgrade(location.url)).applied, [])
  await assert.rejects(openStoreAt(location.url), /newer version of Assay \(migration 0002-added\)/)
  reportMeasurements(t, { cases: 1, wrong: 0 })
})

/** It writes enough that it can be interrupted. */
const LONG_MIGRATION = `CREATE TABLE newer (number INTEGER NOT NULL PRIMARY KEY) STRICT;
  INSERT INTO newer WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000000)
    SELECT n FROM numbers;`

test(`an upgrade continues after each of ${sizes.migration_kills} kills`, {
  skip: SQLITE_ONLY,
}, async (t) => {
  const folder = createTempFolder()
  const oldFile = join(folder, 'old.db')
  const store = await openStoreAt(`sqlite:${oldFile}`)
  await fillCorpus(store)
  await store.close()
  const main = createNewerVersion(LONG_MIGRATION)
  const runNewer = (file: string, command: string) =>
    spawn(process.execPath, [main, command, '--database', `sqlite:${file}`], { stdio: 'ignore' })

  /** Kills the migration when it has written this much, if it has not ended before. */
  async function killMigration(file: string, bytes: number): Promise<{ isKilled: boolean; written: number }> {
    copyFileSync(oldFile, file)
    const child = runNewer(file, 'migrate')
    const exited = once(child, 'exit')
    let written = 0
    while (written < bytes && child.exitCode === null) {
      await delay(1)
      written = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size || written
    }
    child.kill('SIGKILL')
    await exited
    return { isKilled: child.signalCode === 'SIGKILL', written }
  }
  const kills = sizes.migration_kills
  const allBytes =
    kills > 1 ? (await killMigration(join(folder, 'all.db'), Number.POSITIVE_INFINITY)).written : 0
  let killedCount = 0
  while (killedCount < kills) {
    const file = join(createTempFolder(), 'assay.db')
    const { isKilled } = await killMigration(file, 1 + (allBytes * killedCount) / kills)
    if (isKilled) killedCount += 1
    // It migrates the store first.
    const [exitCode] = await once(runNewer(file, 'check'), 'exit')
    assert.equal(exitCode, 0)
  }
  reportMeasurements(t, { rounds: kills, kills: killedCount, wrong: 0 })
})

test('assay migrate lists the migrations that it applied', async () => {
  const { url, flags } = await createStoreLocation()
  assert.equal((await runAssayCommand(['migrate', ...flags])).code, 1)
  await (await openStoreAt(url)).close()
  const main = createNewerVersion('CREATE TABLE newer (name TEXT NOT NULL PRIMARY KEY) STRICT;')
  const run = (...options: string[]) =>
    execFileSync(process.execPath, [main, 'migrate', ...options, ...flags], { encoding: 'utf8' })
  assert.equal(run(), 'Applied: 9999-newer.\n')
  assert.equal(run(), 'The store is up to date.\n')
  assert.deepEqual(JSON.parse(run('--json')), { applied: [], background: [] })
})

test('refuses a store of a version before 1.0 and does not change it', async () => {
  const { url, flags } = await createStoreLocation()
  const dialect = await openDialect(url)
  await dialect.migrate(async (migration) => {
    for (const table of ['project', 'api_key', 'evaluation', 'scenario', 'variant', 'revision'])
      await migration.script(`CREATE TABLE ${table} (key INTEGER PRIMARY KEY)`)
    await migration.script(
      `CREATE TABLE migration (name TEXT NOT NULL PRIMARY KEY, applied_at TEXT NOT NULL);
       INSERT INTO migration VALUES ('0001-tables', ''), ('0002-writing', '')`,
    )
  })
  const dump = storeDump(dialect as unknown as Store)
  const before = await dump()
  const { code, stdout, stderr } = await runAssayCommand(['list', ...flags])
  assert.deepEqual([code, stdout], [1, ''])
  assert.equal(
    stderr,
    'assay: This store was created by a version of Assay before 1.0.\n' +
      'Nothing was changed. Export it with that version (assay export --full), and import the files with this one.\n',
  )
  assert.equal(await dump(), before)
  await dialect.close()
})

/** A hash of the SQL for both engines. Add the hash of a new migration when it is released. */
const RELEASED: Record<string, string> = {}

test('never changes a released migration', () => {
  const hashOf = ({ sql }: (typeof MIGRATIONS)[number]) =>
    hash('sha256', `${sql.sqlite}\n${sql.postgres}`).slice(0, 16)
  const hashes = Object.fromEntries(MIGRATIONS.map((migration) => [migration.name, hashOf(migration)]))
  for (const [name, released] of Object.entries(RELEASED)) assert.equal(hashes[name], released, name)
})
