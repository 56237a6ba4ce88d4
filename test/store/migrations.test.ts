import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAt } from '../../bench/store.ts'
import { checkStore } from '../../src/store/check.ts'
import { postgres, sqlite } from '../../src/store/migrations/0001-tables.ts'
import type { Store } from '../../src/store/store.ts'
import { fillCorpus } from '../corpus.ts'
import { ENGINE, freshPlace } from '../harness.ts'
import { storeDump } from '../store-dump.ts'

const TABLES = { sqlite, postgres }

/** As a store was before the migrations `0003-reading` and `0004-shares`. */
async function takeBack({ writer }: Store): Promise<void> {
  await writer.transaction(async (transaction) => {
    for (const table of ['measure', 'result', 'input']) await transaction.run(`DROP TABLE ${table}`)
    for (const table of ['measure', 'result']) {
      const [made = ''] = new RegExp(`CREATE TABLE ${table} \\([^;]*`).exec(TABLES[ENGINE]) ?? []
      await transaction.run(made)
    }
    await transaction.run('DROP INDEX IF EXISTS evaluation_by_revision')
    await transaction.run('ALTER TABLE api_key DROP COLUMN made_by')
    await transaction.run(`DELETE FROM migration WHERE name >= '0003-reading'`)
  })
}

test('a store of an older version holds everything derived once it was opened', async () => {
  const place = await freshPlace()
  const before = await openAt(place.url)
  await fillCorpus(before)
  const dump = await storeDump(before)()
  await takeBack(before)
  await before.close()
  const store = await openAt(place.url)
  const { checked, faults } = await checkStore(store, () => undefined)
  assert.deepEqual(faults, [])
  assert.ok(checked.scenarios > 0)
  assert.equal(await storeDump(store)(), dump)
  await store.close()
})
