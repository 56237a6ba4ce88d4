// Tests the migration of a store that an older version created.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { openStoreAt } from '../../bench/store.ts'
import { checkStore } from '../../src/store/check.ts'
import { MIGRATIONS } from '../../src/store/migrations/migration-list.ts'
import type { Store } from '../../src/store/store.ts'
import { fillCorpus } from '../support/corpus.ts'
import { createStoreLocation, ENGINE } from '../support/harness.ts'
import { storeDump } from '../support/store-dump.ts'

/** Reverts the migrations from `0003-reading` on. */
async function revertMigrations({ writer }: Store): Promise<void> {
  await writer.transaction(async (transaction) => {
    for (const table of ['measure', 'result', 'input']) await transaction.run(`DROP TABLE ${table}`)
    for (const table of ['measure', 'result']) {
      const [createTable = ''] =
        new RegExp(`CREATE TABLE ${table} \\([^;]*`).exec(MIGRATIONS[0]?.sql[ENGINE] ?? '') ?? []
      await transaction.run(createTable)
    }
    await transaction.run('DROP INDEX IF EXISTS evaluation_by_revision')
    await transaction.run('ALTER TABLE api_key DROP COLUMN made_by')
    await transaction.run('ALTER TABLE idempotency DROP COLUMN etag')
    await transaction.run(`DELETE FROM migration WHERE name >= '0003-reading'`)
  })
}

test('rebuilds all derived tables when a store of an older version is opened', async () => {
  const location = await createStoreLocation()
  const oldStore = await openStoreAt(location.url)
  await fillCorpus(oldStore)
  const dump = await storeDump(oldStore)()
  await revertMigrations(oldStore)
  await oldStore.close()
  const store = await openStoreAt(location.url)
  const { checked, faults } = await checkStore(store, () => undefined)
  assert.deepEqual(faults, [])
  assert.ok(checked.scenarios > 0)
  assert.equal(await storeDump(store)(), dump)
  await store.close()
})

/** A hash of the SQL for both engines. Add the hash of a new migration when it is released. */
const RELEASED_MIGRATIONS = {
  '0001-tables': '77d8c5ae2ba89fe5',
  '0002-writing': '78f400cb7391301b',
  '0003-reading': '6b933cc16b781bc4',
  '0004-shares': 'a000f299030dfce5',
}

test('never changes a released migration', () => {
  const hashes = MIGRATIONS.map(({ name, sql }) => [
    name,
    hash('sha256', `${sql.sqlite}\n${sql.postgres}`).slice(0, 16),
  ])
  for (const [name, released] of Object.entries(RELEASED_MIGRATIONS))
    assert.equal(Object.fromEntries(hashes)[name], released, name)
})
