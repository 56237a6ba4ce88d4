// Migration of a store that an older version has created.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStoreAt } from '../../bench/store.ts'
import { checkStore } from '../../src/store/check.ts'
import { postgres, sqlite } from '../../src/store/migrations/0001-tables.ts'
import type { Store } from '../../src/store/store.ts'
import { fillCorpus } from '../support/corpus.ts'
import { createStoreLocation, ENGINE } from '../support/harness.ts'
import { storeDump } from '../support/store-dump.ts'

const TABLES = { sqlite, postgres }

/** Reverts the migrations `0003-reading` and `0004-shares`. */
async function revertMigrations({ writer }: Store): Promise<void> {
  await writer.transaction(async (transaction) => {
    for (const table of ['measure', 'result', 'input']) await transaction.run(`DROP TABLE ${table}`)
    for (const table of ['measure', 'result']) {
      const [createTable = ''] = new RegExp(`CREATE TABLE ${table} \\([^;]*`).exec(TABLES[ENGINE]) ?? []
      await transaction.run(createTable)
    }
    await transaction.run('DROP INDEX IF EXISTS evaluation_by_revision')
    await transaction.run('ALTER TABLE api_key DROP COLUMN made_by')
    await transaction.run(`DELETE FROM migration WHERE name >= '0003-reading'`)
  })
}

test('rebuilds all derived tables when it opens a store of an older version', async () => {
  const place = await createStoreLocation()
  const before = await openStoreAt(place.url)
  await fillCorpus(before)
  const dump = await storeDump(before)()
  await revertMigrations(before)
  await before.close()
  const store = await openStoreAt(place.url)
  const { checked, faults } = await checkStore(store, () => undefined)
  assert.deepEqual(faults, [])
  assert.ok(checked.scenarios > 0)
  assert.equal(await storeDump(store)(), dump)
  await store.close()
})
