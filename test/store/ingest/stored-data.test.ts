// Tests what importers can look up in the project they import into.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsedValue } from '../../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../../src/store/access/projects.ts'
import { createEvaluation } from '../../../src/store/evaluations/evaluations.ts'
import { storedDataOf } from '../../../src/store/ingest/stored-data.ts'
import { addRevision } from '../../../src/store/variants/revisions.ts'
import { createVariant } from '../../../src/store/variants/variants.ts'
import { createTestStore } from '../../support/harness.ts'

const { reader, writer } = await createTestStore()
const [project, other] = await writer.transaction(async (transaction) => [
  await ensureProject(transaction, 'p'),
  await ensureProject(transaction, 'other'),
])

test('finds evaluations by name and tool, newest first, only in the project', async () => {
  const evaluations = [
    { id: 'old', source: 'table', created_at: '2026-01-01T00:00:00Z', metadata: { file: { bytes: 1 } } },
    { id: 'new', source: 'table 2', created_at: '2026-01-02T00:00:00Z', variant_id: 'runs' },
    { id: 'other tool', source: 'tablecloth 2' },
    { id: 'no tool' },
    { id: 'runs', name: null, source: 'table', created_at: '2026-01-03T00:00:00Z' },
    { id: 'other name', name: 'RUNS', source: 'table' },
  ]
  await writer.transaction(async (transaction) => {
    await createVariant(transaction, project, parsedValue({ id: 'runs', name: 'runs' }))
    for (const evaluation of evaluations)
      await createEvaluation(transaction, project, parsedValue({ name: 'runs', ...evaluation }))
    await createEvaluation(transaction, other, parsedValue({ id: 'x', name: 'runs', source: 'table' }))
  })
  const found = await storedDataOf(reader, project).findEvaluations('runs', 'table')
  assert.deepEqual(
    found.map(({ id, variant_id }) => [id, variant_id]),
    [
      ['runs', null],
      ['new', 'runs'],
      ['old', null],
    ],
  )
  assert.equal(found[2]?.metadata?.get('file', 'bytes')?.number, 1)
  assert.equal(found[0]?.metadata, undefined)
  assert.deepEqual(await storedDataOf(reader, project).findEvaluations('a\0b', '\0'), [])
})

test('finds an evaluation by its id, only in the project', async () => {
  const stored = storedDataOf(reader, project)
  assert.equal((await stored.findEvaluation('new'))?.variant_id, 'runs')
  assert.equal(await stored.findEvaluation('x'), undefined)
  assert.equal(await stored.findEvaluation('a\0b'), undefined)
  assert.equal(await storedDataOf(reader, undefined).findEvaluation('new'), undefined)
})

test('finds the latest revisions of variants with a prefix', async () => {
  await writer.transaction(async (transaction) => {
    for (const id of ['greet', 'greet:0', 'greet:b', 'greet-c', 'greeting', 'greet:empty']) {
      const key = await createVariant(transaction, project, parsedValue({ id, name: id }))
      if (id === 'greet:empty') continue
      for (const revision of [1, 2]) {
        const config = { config_name: `${id} ${revision}`, parameters: { revision } }
        await addRevision(transaction, key, parsedValue({ modified_by: 'Ana', config }))
      }
    }
    const key = await createVariant(transaction, other, parsedValue({ id: 'greet:x', name: 'x' }))
    await addRevision(transaction, key, parsedValue({ modified_by: 'Ana', config: { config_name: 'x' } }))
    for (const day of [2, 3, 1]) {
      const created_at = `2026-01-0${day}T00:00:00.000Z`
      const member = { family: `day ${day}`, label: 'short', provider: 'echo', created_at }
      const evaluation = { id: `run ${day}`, variant_id: 'greet:0', revision: 1, ...member }
      await createEvaluation(transaction, project, parsedValue(evaluation))
    }
  })
  const found = await storedDataOf(reader, project).findVariants('greet')
  assert.deepEqual(
    found.map(({ id, config_name, parameters }) => [id, config_name, parameters.text]),
    ['greet', 'greet:0', 'greet:b'].map((id) => [id, `${id} 2`, '{"revision":2}']),
  )
  assert.deepEqual(
    found.map(({ latest_evaluation }) => latest_evaluation),
    [
      null,
      {
        id: 'run 3',
        created_at: '2026-01-03T00:00:00.000Z',
        family: 'day 3',
        label: 'short',
        provider: 'echo',
      },
      null,
    ],
  )
})

test('finds nothing in a project that does not exist', async () => {
  const stored = storedDataOf(reader, undefined)
  assert.deepEqual(await stored.findEvaluations('runs', 'table'), [])
  assert.deepEqual(await stored.findVariants('greet'), [])
})
