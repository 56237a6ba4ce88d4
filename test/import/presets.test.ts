// Tests what the presets do with rows and files that their fixtures do not contain.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import { createTempFolder } from '../support/harness.ts'
import { createImportStore, importInto, storedEvaluation } from '../support/import-file.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url))

function writeFile(name: string, content: string | Uint8Array): string {
  const path = join(createTempFolder(), name)
  writeFileSync(path, content)
  return path
}

async function importContent(name: string, content: string | Uint8Array) {
  const store = await createImportStore()
  const report = await importInto(store, writeFile(name, content))
  const [evaluation] = report.evaluations
  const scenarios =
    report.stored && evaluation ? (await storedEvaluation(store, evaluation.id)).scenarios : []
  return { report, scenarios }
}

test('numbers the repetitions of a LangSmith example', async () => {
  const importRows = async (...examples: string[]) => {
    const rows = examples.map((example, index) => `q,x${index},,0.5,${example},run-${index}\n`)
    const header = 'inputs.question,outputs.answer,error,execution_time,example_id,id\n'
    const { scenarios } = await importContent('repetitions.csv', header + rows.join(''))
    return scenarios.map(({ id, extra }) => [id, extra?.sample, extra?.repetition])
  }
  assert.deepEqual(await importRows('a', 'b', 'a'), [
    ['a', 'a', 1],
    ['b', 'b', 1],
    ['a #2', 'a', 2],
  ])
  assert.deepEqual(await importRows('a', 'b'), [
    ['a', undefined, undefined],
    ['b', undefined, undefined],
  ])
})

test('numbers the trials of a Braintrust dataset record', async () => {
  const rows = ['x', 'y', 'x'].map((record, index) => ({
    id: `span-${index}`,
    experiment_id: 'e',
    input: 'q',
    output: 'a',
    scores: {},
    origin: { object_type: 'dataset', object_id: 'd', id: record },
  }))
  const { scenarios } = await importContent('trials.json', JSON.stringify(rows))
  assert.deepEqual(
    scenarios.map(({ id, extra }) => [id, extra?.sample, extra?.repetition, extra?.event_id]),
    [
      ['x', 'x', 1, 'span-0'],
      ['y', 'y', 1, 'span-1'],
      ['x #2', 'x', 2, 'span-2'],
    ],
  )
})

for (const [tool, rows] of [
  [
    'braintrust',
    ['e1', 'e2'].map((experiment_id) => ({ experiment_id, input: 'q', output: 'a', scores: {} })),
  ],
  [
    'langfuse',
    ['e1', 'e2'].map((experimentId) => ({
      experimentItemId: 'i',
      traceId: 't',
      experimentId,
      input: 'q',
      output: 'a',
    })),
  ],
] as const)
  test(`rejects ${tool} rows of another experiment than the first row`, async () => {
    const { report } = await importContent(`${tool}.json`, JSON.stringify(rows))
    assert.equal(report.stored, false)
    assert.match(report.refusals[0]?.detail ?? '', /belongs to another experiment.*'e2'.*'e1'/)
  })

test('reads Braintrust scorers that failed as errors of evaluators, and missing scores as not scored', async () => {
  const row = {
    span_id: 's',
    input: 'q',
    output: 'a',
    scores: { zero: 0, missing: null },
    metadata: { scorer_errors: { broken: 'Timeout' } },
  }
  const { scenarios } = await importContent('one.json', JSON.stringify([row]))
  assert.deepEqual(
    scenarios[0]?.results?.map(({ evaluator_config, result }) => [
      evaluator_config,
      result.type,
      result.value,
    ]),
    [
      ['zero', 'number', 0],
      ['missing', 'number', null],
      ['broken', 'error', null],
    ],
  )
})

test('rejects rows of an MLflow table that do not fit its columns', async () => {
  const { report } = await importContent(
    't.json',
    '{"columns":["inputs","outputs"],"data":[["q","a"],["q"]]}',
  )
  assert.equal(report.refusals[0]?.detail, 'This must be a list of 2 values, one per column.')
})

const readParquet = (name: string) => readFileSync(join(FIXTURES, 'parquet', name))

/** The first LZ4 block begins with a wrong length. */
function damagedLz4(): Buffer {
  const bytes = readParquet('lz4.parquet')
  bytes[18] = 0xff
  return bytes
}

test('rejects a Parquet file with a large row group, and says how to write smaller ones', async () => {
  const { report } = await importContent('large.parquet', readParquet('large-row-group.parquet'))
  assert.equal(report.stored, false)
  assert.match(
    report.refusals[0]?.detail ?? '',
    /^Row group 1 has \d+ bytes, more than the limit of 268435456\. .* row_group_size=10000 .*pyarrow.*pandas.*polars/,
  )
})

test('rejects a Parquet page that declares millions of values without reading them', async () => {
  const bytes = readFileSync(join(FIXTURES, 'import/parquet/types.parquet'))
  // The header of a page is read from the middle of its values.
  const damaged = Buffer.concat([bytes.subarray(0, 907), bytes.subarray(1033)])
  const { report } = await importContent('damaged.parquet', damaged)
  assert.equal(report.stored, false)
  assert.match(report.refusals[0]?.detail ?? '', /the pages of a column do not fit its description/)
})

test('imports Parquet files at the same time, and ends the threads of all of them', async () => {
  const threads: Worker[] = []
  // The stores have threads too.
  const add = (thread: Worker) => thread.threadName === 'parquet' && threads.push(thread)
  process.on('worker', add)
  const files = [readParquet('answers.parquet'), damagedLz4(), readParquet('answers-rows.parquet')]
  const imports = await Promise.all(files.map((bytes) => importContent('answers.parquet', bytes)))
  process.off('worker', add)
  assert.deepEqual(
    imports.map(({ scenarios }) => scenarios.length),
    [2, 0, 3],
  )
  assert.match(imports[1]?.report.refusals[0]?.detail ?? '', /^The Parquet file cannot be read: /)
  assert.ok(threads.length >= files.length)
  // A thread that has ended has no id.
  for (const { threadId } of threads) assert.equal(threadId, -1)
})
