// Tests the keys of new evaluations and variants, and what is deleted with a variant.
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { parsedValue } from '../../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../../src/store/access/projects.ts'
import { addRevision } from '../../../src/store/variants/revisions.ts'
import { createVariant, deleteVariant } from '../../../src/store/variants/variants.ts'
import { createTestStore, ENGINE } from '../../support/harness.ts'

const store = await createTestStore()
const project = await store.writer.transaction((transaction) => ensureProject(transaction, 'keys'))

test('deletes a variant with its revisions', async () => {
  const key = await store.writer.transaction(async (transaction) => {
    const key = await createVariant(transaction, project, parsedValue({ id: 'deleted' }))
    const revision = { revision: 1, modified_by: 'a', config: { config_name: 'c' } }
    await addRevision(transaction, key, parsedValue(revision))
    return key
  })
  const readRevisions = () => store.reader.all('SELECT revision FROM revision WHERE variant = ?', key)
  assert.equal((await readRevisions()).length, 1)
  await store.writer.transaction((transaction) => deleteVariant(transaction, key))
  assert.deepEqual(await readRevisions(), [])
})

test('chooses another key if another process has used a generated key', {
  skip: ENGINE === 'sqlite' && 'SQLite generates the keys',
}, async () => {
  // All keys are generated in one millisecond, and half of those that are possible exist already.
  mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030) })
  try {
    await store.writer.transaction(async (transaction) => {
      const firstKey = Math.floor((transaction.sql.newKey() ?? 0) / 4096) * 4096
      await transaction.run(
        `INSERT INTO variant (key, project, id, created_at, updated_at, version)
         SELECT CAST(? AS bigint) + 2 * number, ?, 'used ' || number, '', '', '' FROM generate_series(0, 2047) AS number`,
        firstKey,
        project,
      )
      const keys: number[] = []
      for (let number = 0; number < 20; number += 1)
        keys.push(await createVariant(transaction, project, parsedValue({ id: `new ${number}` })))
      assert.equal(new Set(keys).size, 20)
      for (const key of keys) assert.equal((key - firstKey) % 2, 1)
    })
  } finally {
    mock.timers.reset()
  }
})
