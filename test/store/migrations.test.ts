// Tests the migration of a store that an older version created.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { openStoreAt } from '../../bench/store.ts'
import { parsedValue } from '../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../src/store/access/projects.ts'
import { checkStore } from '../../src/store/check.ts'
import { createEvaluation } from '../../src/store/evaluations/evaluations.ts'
import { MIGRATIONS } from '../../src/store/migrations/migration-list.ts'
import { appendScenarios } from '../../src/store/scenarios/append.ts'
import { scenarioRow } from '../../src/store/scenarios/row.ts'
import { readScoreTexts, readStoredScores, storeUnknownScores } from '../../src/store/scores/stored-scores.ts'
import type { Store } from '../../src/store/store.ts'
import { fillCorpus } from '../support/corpus.ts'
import { createStoreLocation, createTempFolder, ENGINE } from '../support/harness.ts'
import { storeDump } from '../support/store-dump.ts'

const OLD_STORE = new URL('../fixtures/store-0.1.0/assay.db.gz', import.meta.url)

/** Reverts the migrations from `0003-reading` on. */
async function revertMigrations({ writer }: Store): Promise<void> {
  await writer.transaction(async (transaction) => {
    for (const table of [
      'measure',
      'result',
      'input',
      'generated_id',
      'change',
      'evaluation_scores',
      'background_task',
    ])
      await transaction.run(`DROP TABLE ${table}`)
    for (const table of ['measure', 'result']) {
      const [createTable = ''] =
        new RegExp(`CREATE TABLE ${table} \\([^;]*`).exec(MIGRATIONS[0]?.sql[ENGINE] ?? '') ?? []
      await transaction.run(createTable)
    }
    for (const index of ['revision', 'variant', 'source', 'status', 'tag'])
      await transaction.run(`DROP INDEX evaluation_by_${index}`)
    for (const table of ['evaluation', 'variant']) {
      for (const index of ['name', 'update']) await transaction.run(`DROP INDEX ${table}_by_${index}`)
      await transaction.run(`ALTER TABLE ${table} DROP COLUMN updated_at`)
    }
    for (const column of ['status', 'expected_count', 'tags'])
      await transaction.run(`ALTER TABLE evaluation DROP COLUMN ${column}`)
    await transaction.run('ALTER TABLE api_key DROP COLUMN made_by')
    await transaction.run('ALTER TABLE idempotency DROP COLUMN etag')
    await transaction.run('ALTER TABLE evaluation DROP COLUMN next_position')
    await transaction.run('ALTER TABLE evaluation_column DROP COLUMN row_count')
    await transaction.run('ALTER TABLE scenario DROP COLUMN first_digest')
    if (ENGINE === 'postgres') await transaction.run('DROP FUNCTION append_change')
    await transaction.run('DELETE FROM project WHERE key = 0')
    await transaction.run(`DELETE FROM migration WHERE name >= '0003-reading'`)
  })
}

test('rebuilds all derived tables when a store of an older version is opened', async () => {
  const location = await createStoreLocation()
  const oldStore = await openStoreAt(location.url)
  await fillCorpus(oldStore)
  // An older version has no change log, no row counts and no update times.
  await oldStore.writer.transaction(async (transaction) => {
    await transaction.run('DELETE FROM change')
    await transaction.run('UPDATE evaluation_column SET row_count = NULL')
    for (const table of ['evaluation', 'variant'])
      await transaction.run(`UPDATE ${table} SET updated_at = created_at`)
  })
  const dump = await storeDump(oldStore)()
  await revertMigrations(oldStore)
  await oldStore.close()
  const store = await openStoreAt(location.url)
  const { checked, faults } = await checkStore(store, () => undefined)
  assert.deepEqual(faults, [])
  assert.ok(checked.scenarios > 0)
  await storeUnknownScores(store)
  assert.equal(await storeDump(store)(), dump)
  await store.close()
})

test('stores the scores of a store of version 0.1.0 after the migration', {
  skip: ENGINE === 'postgres' && 'the old store is a SQLite file',
}, async () => {
  const file = join(createTempFolder(), 'assay.db')
  writeFileSync(file, gunzipSync(readFileSync(OLD_STORE)))
  const store = await openStoreAt(`sqlite:${file}`)
  const evaluations = await store.reader.all<{ key: number }>(
    'SELECT key FROM evaluation WHERE scenario_count > 0',
  )
  assert.ok(evaluations.length > 0)
  const counted = await readScoreTexts(store.reader, evaluations)
  for (const { key } of evaluations) assert.equal(await readStoredScores(store.reader, key), undefined)
  await storeUnknownScores(store)
  for (const { key } of evaluations)
    assert.equal((await readStoredScores(store.reader, key))?.scores, counted.get(key))
  assert.deepEqual((await checkStore(store, () => undefined)).faults, [])
  await store.close()
})

const UUID = '019a0000-0000-7000-8000-000000000001'
const SHARED_UUID = '019a0000-0000-7000-8000-000000000002'

/** By source: ids of stored scenarios, those that are classified as generated, and those that are not. */
const STORED_IDS: [source: string | null, generated: string[], given: string[]][] = [
  [null, [UUID], [SHARED_UUID, '4', 'a', '019a0000-0000-4000-8000-000000000001']],
  [null, [], [SHARED_UUID]],
  ['table', ['1', '2'], ['5', 'a', '03']],
  ['promptfoo 0.121.0', ['0', '0 #2', '7'], ['a-1']],
  ['phoenix', ['1', '1:2'], ['RGF0YXNldA==']],
  ['lm-evaluation-harness 0.4.9', ['record 1'], ['1', '2 #2']],
  [
    'DeepEval',
    ['test_case_0', 'conversational_test_case_1', 'test_case_0 #2'],
    ['test_case_a', '1', 'refund'],
  ],
  ['openai', [], ['0', '1']],
  ['Inspect AI 0.3', [], ['1', '2']],
]

test('classifies the ids of existing rows by source and form', async () => {
  const location = await createStoreLocation()
  const oldStore = await openStoreAt(location.url)
  await oldStore.writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    for (const [index, [source, generated, given]] of STORED_IDS.entries()) {
      const id = `e${index}`
      const members = source === null ? { id } : { id, source }
      const key = await createEvaluation(transaction, project, parsedValue(members))
      const rows = [...generated, ...given].map((scenario) => scenarioRow(id, parsedValue({ id: scenario })))
      await appendScenarios(transaction, key, [rows])
    }
    await transaction.run('DROP TABLE generated_id')
    await transaction.run(`DELETE FROM migration WHERE name = '0006-generated-ids'`)
  })
  await oldStore.close()
  const store = await openStoreAt(location.url)
  const rows = await store.reader.all<{ evaluation: string; id: string }>(
    `SELECT evaluation.id AS evaluation, scenario.id AS id FROM generated_id
     JOIN scenario ON scenario.evaluation = generated_id.evaluation AND scenario.position = generated_id.position
     JOIN evaluation ON evaluation.key = scenario.evaluation ORDER BY evaluation.key, scenario.position`,
  )
  assert.deepEqual(
    rows.map(({ evaluation, id }) => [evaluation, id]),
    STORED_IDS.flatMap(([, generated], index) => generated.map((id) => [`e${index}`, id])),
  )
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
