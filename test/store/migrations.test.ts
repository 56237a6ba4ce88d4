// Tests the migration of a store that an older version created.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { downgradeStore } from '../../bench/old-store.ts'
import { MAIN } from '../../bench/service.ts'
import { openStoreAt } from '../../bench/store.ts'
import { parsedValue } from '../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../src/store/access/projects.ts'
import { runTask } from '../../src/store/background/task.ts'
import { BACKGROUND_TASKS, findRemainingTasks } from '../../src/store/background-tasks.ts'
import { checkStore } from '../../src/store/check.ts'
import { createEvaluation, deleteEvaluation } from '../../src/store/evaluations/evaluations.ts'
import { MIGRATIONS } from '../../src/store/migrations/migration-list.ts'
import { appendScenarios } from '../../src/store/scenarios/append.ts'
import { countGeneratedIds } from '../../src/store/scenarios/generated-ids.ts'
import { scenarioRow } from '../../src/store/scenarios/row.ts'
import { readScoreTexts, readStoredScores } from '../../src/store/scores/stored-scores.ts'
import type { Store } from '../../src/store/store.ts'
import { createVariant } from '../../src/store/variants/variants.ts'
import { sizes } from '../sizes.ts'
import { fillCorpus } from '../support/corpus.ts'
import {
  createStoreLocation,
  createTempFolder,
  createTestKey,
  ENGINE,
  SQLITE_ONLY,
  startTestService,
} from '../support/harness.ts'
import { sendRequest } from '../support/http.ts'
import { reportMeasurements } from '../support/measurements.ts'
import { testOptions } from '../support/options.ts'
import { storeDump } from '../support/store-dump.ts'

const OLD_STORE = new URL('../fixtures/store-0.1.0/assay.db.gz', import.meta.url)

async function runTasks(store: Store): Promise<void> {
  for (const task of BACKGROUND_TASKS) await runTask(store, task)
}

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
      'unclassified_ids',
      'first_digest',
      'repetition',
      'revision_number',
      'idempotent_write',
    ])
      await transaction.run(`DROP TABLE ${table}`)
    for (const table of ['measure', 'result']) {
      const [createTable = ''] =
        new RegExp(`CREATE TABLE ${table} \\([^;]*`).exec(MIGRATIONS[0]?.sql[ENGINE] ?? '') ?? []
      await transaction.run(createTable)
    }
    for (const index of ['revision', 'variant', 'source', 'status', 'tag', 'baseline', 'family'])
      await transaction.run(`DROP INDEX evaluation_by_${index}`)
    for (const table of ['evaluation', 'variant']) {
      for (const index of ['name', 'update']) await transaction.run(`DROP INDEX ${table}_by_${index}`)
      await transaction.run(`ALTER TABLE ${table} DROP COLUMN updated_at`)
    }
    for (const column of ['status', 'expected_count', 'tags', 'family', 'label', 'provider'])
      await transaction.run(`ALTER TABLE evaluation DROP COLUMN ${column}`)
    await transaction.run('ALTER TABLE api_key DROP COLUMN made_by')
    await transaction.run('ALTER TABLE idempotency DROP COLUMN etag')
    for (const column of ['next_position', 'repetitions_from', 'revision_created_at'])
      await transaction.run(`ALTER TABLE evaluation DROP COLUMN ${column}`)
    await transaction.run('ALTER TABLE evaluation_column DROP COLUMN row_count')
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
    await transaction.run('UPDATE evaluation SET repetitions_from = next_position')
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
  await runTasks(store)
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
  await runTasks(store)
  for (const { key } of evaluations)
    assert.equal((await readStoredScores(store.reader, key))?.scores, counted.get(key))
  assert.deepEqual((await checkStore(store, () => undefined)).faults, [])
  await store.close()
})

const UUID = '019a0000-0000-7000-8000-000000000001'

/** By source: ids of stored scenarios, those that are classified as generated, and those that are not. */
const STORED_IDS: [source: string | null, generated: string[], given: string[]][] = [
  [null, [], [UUID, '4', 'a', '1']],
  ['table', ['1', '2'], ['5', 'a', '03', UUID]],
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

async function addStoredIds({ writer }: Store): Promise<void> {
  await writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    await createVariant(transaction, project, parsedValue({ id: 'v' }))
    for (const [index, [source, generated, given]] of STORED_IDS.entries()) {
      const id = `e${index}`
      const members = { id, variant_id: 'v', ...(source !== null && { source }) }
      const key = await createEvaluation(transaction, project, parsedValue(members))
      const rowOf = (scenario: string, index: number) => {
        const inputs = [{ name: 'n', type: 'text', value: String(index) }]
        return scenarioRow(id, parsedValue({ id: scenario, inputs }), null, index < generated.length)
      }
      await appendScenarios(transaction, key, [[...generated, ...given].map(rowOf)])
    }
  })
}

/** Reads that depend on what a migration derives later. */
const PATHS = [
  '/evaluations?include=scores',
  '/evaluations/e1/evaluation_scenarios',
  '/comparisons?evaluation=e1&evaluation=e2',
  '/comparisons/rows?evaluation=e0&evaluation=e1&by=id',
  ...STORED_IDS.flatMap(([, generated, given], index) => [
    ...[...generated, ...given].map(
      (id) => `/evaluations/e${index}/evaluation_scenarios/${encodeURIComponent(id)}/history`,
    ),
    `/evaluations/e${index}/evaluation_scenarios?include=has_generated_id`,
    `/comparisons?evaluation=e${index}&evaluation=e${(index + 1) % STORED_IDS.length}&by=id`,
  ]),
]

/** After each interruption, the quick profile reads each eighth path, beginning with another one. */
const SAMPLED_PATHS = 8

test('reads a store of version 0.1.0 exactly while the rest of the migration is interrupted at each step', async () => {
  const location = await createStoreLocation()
  let store = await openStoreAt(location.url)
  await addStoredIds(store)
  const { key } = await createTestKey(store)
  const startService = () => startTestService(store, { max_cache_bytes: 0, max_cache_file_bytes: 0 })
  let service = await startService()
  async function read(paths: string[]): Promise<string[]> {
    const texts: string[] = []
    for (const path of paths) {
      const { status, text } = await sendRequest(service.baseUrl, `/api${path}`, { authorization: key })
      assert.equal(status, 200, text)
      // Version 0.1.0 did not store the time of updates.
      texts.push(text.replaceAll(/"updated_at":"[^"]*"/g, ''))
    }
    return texts
  }
  async function closeStore(): Promise<void> {
    await service.stop()
    await store.close()
  }
  const expected = await read(PATHS)
  await closeStore()
  await downgradeStore(location.url)

  store = await openStoreAt(location.url)
  service = await startService()
  let roundCount = 0
  for (let isLeft = true; isLeft; roundCount += 1) {
    const isRead = (index: number) =>
      testOptions.profile === 'full' || index % SAMPLED_PATHS === roundCount % SAMPLED_PATHS
    assert.deepEqual(
      await read(PATHS.filter((_, index) => isRead(index))),
      expected.filter((_, index) => isRead(index)),
    )
    for (const task of BACKGROUND_TASKS) {
      const prepared = await task.prepare?.(store.reader)
      // The first step is rolled back, as if the process was killed before its commit.
      for (const isKilled of [true, false]) {
        const step = store.writer.transaction(async (transaction) => {
          await task.step(transaction, 3, prepared)
          if (isKilled) throw new Error('killed')
        })
        await (isKilled ? assert.rejects(step, /killed/) : step)
      }
    }
    isLeft = (await findRemainingTasks(store.reader)).length > 0
  }
  assert.ok(roundCount >= STORED_IDS.length)
  assert.deepEqual(await read(PATHS), expected)
  assert.deepEqual((await checkStore(store, () => undefined)).faults, [])
  const generated = await store.reader.all<{ evaluation: string; id: string }>(
    `SELECT evaluation.id AS evaluation, scenario.id AS id FROM generated_id
     JOIN scenario ON scenario.evaluation = generated_id.evaluation AND scenario.position = generated_id.position
     JOIN evaluation ON evaluation.key = scenario.evaluation ORDER BY evaluation.key, scenario.position`,
  )
  assert.deepEqual(
    generated.map(({ evaluation, id }) => [evaluation, id]),
    STORED_IDS.flatMap(([, ids], index) => ids.map((id) => [`e${index}`, id])),
  )
  await closeStore()
})

test('does not classify the ids of rows that are written after the migration', async () => {
  const location = await createStoreLocation()
  let store = await openStoreAt(location.url)
  await addStoredIds(store)
  await store.close()
  await downgradeStore(location.url)
  store = await openStoreAt(location.url)
  const table = await store.reader.get<{ key: number }>(`SELECT key FROM evaluation WHERE id = 'e1'`)
  assert.ok(table)
  const position = STORED_IDS[1]?.slice(1).flat().length ?? 0
  // A client gives the id that an importer would make from the position.
  const row = scenarioRow('e1', parsedValue({ id: String(position + 1) }))
  await store.writer.transaction((transaction) => appendScenarios(transaction, table.key, [[row]]))
  // The source has changed too, and an evaluation is deleted.
  await store.writer.transaction(async (transaction) => {
    await transaction.run(`UPDATE evaluation SET source = 'openai' WHERE key = ?`, table.key)
    const deleted = await transaction.get<{ key: number }>(`SELECT key FROM evaluation WHERE id = 'e2'`)
    await deleteEvaluation(transaction, deleted?.key ?? 0)
  })
  assert.equal(await countGeneratedIds(store.reader, table.key), 2)
  await runTasks(store)
  assert.equal(await countGeneratedIds(store.reader, table.key), 2)
  assert.deepEqual(await findRemainingTasks(store.reader), [])
  assert.deepEqual((await checkStore(store, () => undefined)).faults, [])
  await store.close()
})

test('keeps the classification of a development version', async () => {
  const location = await createStoreLocation()
  let store = await openStoreAt(location.url)
  await addStoredIds(store)
  // A client has given an id that looks generated. That version classified all ids in 0006-generated-ids.
  await store.writer.transaction(async (transaction) => {
    await transaction.run('DELETE FROM generated_id WHERE position = 0')
    await transaction.run('DROP TABLE unclassified_ids')
    await transaction.run(`DELETE FROM migration WHERE name = '0018-unclassified-ids'`)
  })
  const read = async () => JSON.stringify(await store.reader.all('SELECT * FROM generated_id ORDER BY 1, 2'))
  const expected = await read()
  await store.close()
  store = await openStoreAt(location.url)
  await runTasks(store)
  assert.equal(await read(), expected)
  await store.close()
})

test('derives samples and repetitions only of scenarios that are written after the migration', async () => {
  const location = await createStoreLocation()
  let store = await openStoreAt(location.url)
  const rowOf = (id: string) => scenarioRow('e', parsedValue({ id, extra: { sample: id } }))
  const append = (key: number, ids: string[]) =>
    store.writer.transaction((transaction) => appendScenarios(transaction, key, [ids.map(rowOf)]))
  const key = await store.writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    return createEvaluation(transaction, project, parsedValue({ id: 'e' }))
  })
  await append(key, ['a', 'b'])
  await store.close()
  await downgradeStore(location.url)
  store = await openStoreAt(location.url)
  await append(key, ['c', 'd'])
  const entries = await store.reader.all<{ position: number; sample: string }>(
    'SELECT position, sample FROM repetition ORDER BY position',
  )
  assert.deepEqual(
    entries.map(({ position, sample }) => [position, sample]),
    [
      [2, 'c'],
      [3, 'd'],
    ],
  )
  assert.deepEqual((await checkStore(store, () => undefined)).faults, [])
  await store.writer.transaction((transaction) =>
    transaction.run('DELETE FROM repetition WHERE position = 2'),
  )
  const { faults } = await checkStore(store, () => undefined)
  assert.deepEqual(
    faults.map(({ where, what }) => `${where}: ${what.split(':')[0]}`),
    ['evaluation e, scenario c: repetition'],
  )
  await store.close()
})

/** A file with only the first migrations, and an evaluation. */
async function createMigratedFile(count: number): Promise<string> {
  const file = join(createTempFolder(), 'assay.db')
  // An empty store has the settings of a store file.
  await (await openStoreAt(`sqlite:${file}`)).close()
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  const tables = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all()
  for (const { name } of tables) database.exec(`DROP TABLE IF EXISTS "${name}"`)
  database.exec('CREATE TABLE migration (name TEXT NOT NULL PRIMARY KEY, applied_at TEXT NOT NULL)')
  for (const { name, sql } of MIGRATIONS.slice(0, count))
    database.exec(`${sql.sqlite}; INSERT INTO migration VALUES ('${name}', '')`)
  database.exec(
    `INSERT INTO project (name, created_at) VALUES ('p', '');
     INSERT INTO evaluation (project, id, created_at, version) SELECT key, 'e', '', 'v' FROM project WHERE name = 'p'`,
  )
  database.close()
  return file
}

/** All tables and indexes with their columns, without the order in which columns were added. */
function schemaOfFile(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const objects = database
    .prepare(`SELECT type, name, tbl_name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'`)
    .all()
  const lines = objects.map(({ type, name, tbl_name }) => {
    const columns = database
      .prepare('SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?)')
      .all(String(name))
    const indexed = database
      .prepare('SELECT seqno, name, desc, coll FROM pragma_index_xinfo(?)')
      .all(String(name))
    return [
      type,
      name,
      tbl_name,
      ...[...columns, ...indexed].map((column) => JSON.stringify(column)).sort(),
    ].join(' ')
  })
  database.close()
  return lines.sort()
}

async function readFreshSchema(): Promise<string[]> {
  const file = join(createTempFolder(), 'assay.db')
  await (await openStoreAt(`sqlite:${file}`)).close()
  return schemaOfFile(file)
}

/** The quick profile upgrades from the first version and from release 0.1. */
const UPGRADED_VERSIONS = testOptions.profile === 'full' ? [...MIGRATIONS.keys()] : [0, 3]

test('upgrades a file of every earlier version to the same schema as a new one, and preserves its data', {
  skip: SQLITE_ONLY,
}, async (t) => {
  const expected = await readFreshSchema()
  for (const index of UPGRADED_VERSIONS) {
    const file = await createMigratedFile(index + 1)
    const store = await openStoreAt(`sqlite:${file}`)
    const row = await store.reader.get<{ version: string }>(`SELECT version FROM evaluation WHERE id = 'e'`)
    assert.equal(row?.version, 'v')
    await runTasks(store)
    assert.deepEqual((await checkStore(store, () => undefined)).faults, [])
    await store.close()
    assert.deepEqual(schemaOfFile(file), expected, `from ${MIGRATIONS[index]?.name}`)
  }
  reportMeasurements(t, { cases: UPGRADED_VERSIONS.length, wrong: 0 })
})

test(`an upgrade continues after each of ${sizes.migration_kills} kills`, {
  skip: SQLITE_ONLY,
}, async (t) => {
  const expected = await readFreshSchema()
  const oldFile = gunzipSync(readFileSync(OLD_STORE))
  /** Kills the migration when it has written this much, if it has not ended before. */
  async function killMigration(file: string, bytes: number): Promise<{ isKilled: boolean; written: number }> {
    writeFileSync(file, oldFile)
    const args = [MAIN, 'migrate', '--database', `sqlite:${file}`]
    const child = spawn(process.execPath, args, { stdio: 'ignore' })
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
  const createFile = () => join(createTempFolder(), 'assay.db')
  const kills = sizes.migration_kills
  const allBytes = kills > 1 ? (await killMigration(createFile(), Number.POSITIVE_INFINITY)).written : 0
  let killedCount = 0
  while (killedCount < kills) {
    const file = createFile()
    const { isKilled } = await killMigration(file, 1 + (allBytes * killedCount) / kills)
    if (isKilled) killedCount += 1
    const store = await openStoreAt(`sqlite:${file}`)
    await runTasks(store)
    assert.deepEqual((await checkStore(store, () => undefined)).faults, [])
    await store.close()
    assert.deepEqual(schemaOfFile(file), expected)
  }
  reportMeasurements(t, { rounds: kills, kills: killedCount, wrong: 0 })
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
