// Tests that a deleted evaluation cannot be found at once, and that its rows are removed in short transactions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addLargeEvaluation } from '../../../bench/data.ts'
import { addKey } from '../../../src/store/access/keys.ts'
import { ensureProject } from '../../../src/store/access/projects.ts'
import { type BackgroundTask, runTask } from '../../../src/store/background/task.ts'
import { checkStore } from '../../../src/store/check.ts'
import { deleteEvaluation, FIND_EVALUATION } from '../../../src/store/evaluations/evaluations.ts'
import { REMOVE_DELETED } from '../../../src/store/scenarios/removal.ts'
import { isStoreEmpty, type Store } from '../../../src/store/store.ts'
import { runAssayCommand as runAssay } from '../../support/command-runner/run.ts'
import { createTestKey, createTestStore, ENGINE, startTestService } from '../../support/harness.ts'
import { checkProblem, sendRequest } from '../../support/http.ts'

const TABLES = [
  'scenario',
  ...(ENGINE === 'postgres' ? ['search'] : []),
  'measure',
  'result',
  'input',
  'generated_id',
  'repetition',
  'evaluation_column',
  'evaluation_scores',
]

async function findKey({ reader, writer }: Store, id: string): Promise<number> {
  const project = await writer.transaction((transaction) => ensureProject(transaction, 'default'))
  const evaluation = await reader.get<{ key: number }>(FIND_EVALUATION, project, id)
  assert.ok(evaluation)
  return evaluation.key
}

function deleteByKey({ writer }: Store, key: number): Promise<void> {
  return writer.transaction((transaction) => deleteEvaluation(transaction, key))
}

async function countRows({ reader }: Store, table: string, key: number): Promise<number> {
  const row = await reader.get<{ count: number }>(
    `SELECT count(*) AS count FROM ${table} WHERE evaluation = ?`,
    key,
  )
  return row?.count ?? 0
}

function step({ writer }: Store, rowCount: number): Promise<boolean> {
  return writer.transaction((transaction) => REMOVE_DELETED.step(transaction, rowCount))
}

test('hides a deleted evaluation from every read while its rows are removed', async () => {
  const store = await createTestStore()
  const { baseUrl } = await startTestService(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const other = await createTestKey(store, { project: 'other' })
  assert.equal(await isStoreEmpty(store.reader), true)
  await addLargeEvaluation(store, 30, { id: 'deleted' })
  await addLargeEvaluation(store, 5, { id: 'remaining' })
  const share = await store.writer.transaction((transaction) =>
    addKey(transaction, {
      project: 'default',
      name: null,
      scopes: ['read'],
      expires_at: null,
      confined_to: { evaluation_id: 'deleted' },
    }),
  )
  const send = (path: string, authorization = key, method = 'GET', body?: string) =>
    sendRequest(baseUrl, `/api${path}`, { authorization, 'content-type': 'application/json' }, method, body)
  const row = await findKey(store, 'deleted')
  const deletion = await send('/evaluations/deleted', key, 'DELETE')
  assert.equal(deletion.status, 204)
  assert.equal(await step(store, 10), true)
  assert.equal(await countRows(store, 'scenario', row), 20)

  for (const path of ['', '/evaluation_scenarios', '/rows', '/summary'])
    for (const authorization of [key, share.key])
      checkProblem(await send(`/evaluations/deleted${path}`, authorization), 404, 'evaluation-not-found')
  // In another project, an existing id would be a 403.
  checkProblem(await send('/evaluations/deleted', other.key), 404, 'evaluation-not-found')
  checkProblem(await send(`/evaluations/${encodeURIComponent(`\t${row}`)}`), 404, 'evaluation-not-found')
  const comparison = await send('/compare?ids=remaining,deleted')
  assert.equal(comparison.status, 404)
  const ids = JSON.parse((await send('/evaluations')).text).map(({ id }: { id: string }) => id)
  assert.deepEqual(ids, ['remaining'])
  const lastChange = JSON.parse((await send('/changes')).text).at(-1)
  assert.deepEqual(
    [lastChange.action, lastChange.evaluation_id, lastChange.counts],
    ['evaluation.deleted', 'deleted', { scenarios: 30 }],
  )
  const { checked, faults } = await checkStore(store, () => undefined)
  assert.deepEqual([checked.evaluations, checked.scenarios, faults], [1, 5, []])
  const projects = JSON.parse((await runAssay(['projects', 'list', '--json', ...store.flags])).stdout)
  assert.deepEqual(
    projects.map(({ name, evaluations }: Record<string, unknown>) => [name, evaluations]),
    [
      ['default', 1],
      ['other', 0],
    ],
  )

  // The id can be used again.
  await addLargeEvaluation(store, 7, { id: 'deleted' })
  await runTask(store, REMOVE_DELETED)
  for (const table of TABLES) assert.equal(await countRows(store, table, row), 0, table)
  assert.equal(await REMOVE_DELETED.hasWork(store.reader), false)
  assert.equal((await checkStore(store, () => undefined)).checked.scenarios, 12)
})

test('removes a bounded number of rows per transaction, of several evaluations if they are small', async () => {
  const store = await createTestStore()
  const keys: number[] = []
  for (const [index, count] of [25, 3, 4, 0].entries()) {
    await addLargeEvaluation(store, count, { id: `e${index}` })
    keys.push(await findKey(store, `e${index}`))
  }
  for (const key of keys) await deleteByKey(store, key)
  const counts = () => Promise.all(keys.map((key) => countRows(store, 'scenario', key)))
  const seen: [isLeft: boolean, counts: number[]][] = []
  for (let isLeft = true; isLeft; ) {
    isLeft = await step(store, 10)
    seen.push([isLeft, await counts()])
  }
  assert.deepEqual(seen, [
    [true, [15, 3, 4, 0]],
    [true, [5, 3, 4, 0]],
    [true, [0, 0, 2, 0]],
    [false, [0, 0, 0, 0]],
  ])
  assert.equal(await isStoreEmpty(store.reader), true)
})

test('runs a task in one process at a time, and continues when that process has stopped', async () => {
  const store = await createTestStore()
  const steps: string[] = []
  const taskOf = (process: string, onStep: () => Promise<boolean>): BackgroundTask => ({
    name: 'test',
    hasWork: async () => true,
    countEvaluations: async () => 1,
    step() {
      steps.push(process)
      return onStep()
    },
  })
  const abortController = new AbortController()
  const secondTask = taskOf('second', async () => false)
  await runTask(
    store,
    taskOf('first', async () => {
      if (steps.length === 3) abortController.abort()
      return true
    }),
    { signal: abortController.signal, owner: 'first' },
  )
  assert.deepEqual(steps, ['first', 'first', 'first'])
  // It has stopped, so another process need not wait for the end of its lease.
  await runTask(store, secondTask)
  assert.deepEqual(steps.slice(3), ['second'])

  const lease = (until: number) =>
    store.writer.transaction((transaction) =>
      transaction.run(
        `INSERT INTO background_task (name, owner, leased_until) VALUES ('test', 'third', ?)
         ON CONFLICT (name) DO UPDATE SET leased_until = excluded.leased_until`,
        new Date(until).toISOString(),
      ),
    )
  await lease(Date.now() + 3_600_000)
  await runTask(store, secondTask)
  assert.equal(steps.length, 4)
  await lease(Date.now() - 1)
  await runTask(store, secondTask)
  assert.equal(steps.length, 5)
})

test('assay check reports rows without an evaluation or variant', async () => {
  const store = await createTestStore()
  await addLargeEvaluation(store, 3)
  await store.writer.transaction((transaction) =>
    transaction.runMany(
      [`INSERT INTO generated_id (evaluation, position) VALUES (?, ?)`, [[999, 0]]],
      [
        `INSERT INTO evaluation_column (evaluation, kind, ordinal, name, row_count) VALUES (?, ?, ?, ?, ?)`,
        [[999, 'input', 0, 'question', 1]],
      ],
      [`INSERT INTO evaluation_scores (evaluation, scores, statistics) VALUES (?, ?, ?)`, [[999, '', '']]],
      [
        `INSERT INTO revision (variant, revision, body, digest, created_at) VALUES (?, ?, ?, ?, ?)`,
        [[999, 1, '{}', new Uint8Array(), '2026']],
      ],
    ),
  )
  const { faults } = await checkStore(store, () => undefined)
  assert.deepEqual(faults, [
    { where: 'store', what: 'rows of generated_id have no evaluation (key 999)' },
    { where: 'store', what: 'rows of evaluation_column have no evaluation (key 999)' },
    { where: 'store', what: 'rows of evaluation_scores have no evaluation (key 999)' },
    { where: 'store', what: 'rows of revision have no variant (key 999)' },
  ])
})

test('commands remove the rows of deleted evaluations before they end', async () => {
  const store = await createTestStore()
  const { flags } = store
  for (const id of ['a', 'b', 'c']) await addLargeEvaluation(store, 20, { id })
  await deleteByKey(store, await findKey(store, 'a'))
  // The rows of another deletion that was interrupted, too.
  assert.equal((await runAssay(['delete', 'b', ...flags])).code, 0)
  const countAll = async () => {
    const row = await store.reader.get<{ count: number }>('SELECT count(*) AS count FROM scenario')
    return row?.count
  }
  assert.equal(await countAll(), 20)
  assert.equal((await runAssay(['projects', 'delete', 'default', '--yes', ...flags])).code, 0)
  assert.equal(await countAll(), 0)
})
