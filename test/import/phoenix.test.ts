// Tests the Phoenix importer, and compares its counts with those of Phoenix.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTempFolder } from '../support/harness.ts'
import {
  createImportStore,
  detectingImporters,
  importInto,
  scenarioLines,
  storedEvaluation,
} from '../support/import-file.ts'

const EXPERIMENT = fileURLToPath(new URL('../fixtures/import/phoenix/returns-nightly.json', import.meta.url))

const RUN = {
  example_id: 'ex1',
  repetition_number: 1,
  input: { question: 'q' },
  reference_output: { answer: 'a' },
  output: 'a',
  error: null,
  latency_ms: 1500,
  start_time: '2026-05-01T10:00:01+02:00',
  annotations: [],
}

function file(...runs: (object | string)[]): string {
  const path = join(createTempFolder(), 'nightly.json')
  const texts = runs.map((run) => (typeof run === 'string' ? run : JSON.stringify(run)))
  writeFileSync(path, `[${texts.join(',\n')}]`)
  return path
}

/** The scalar values of an object, as texts. */
function leaves(value: unknown): string[] {
  if (value === null) return []
  return typeof value === 'object' ? Object.values(value).flatMap(leaves) : [String(value)]
}

async function importRuns(...runs: (object | string)[]) {
  const store = await createImportStore()
  const report = await importInto(store, file(...runs), '--evaluation', 'e')
  assert.deepEqual(report.refusals, [])
  return { ...(await storedEvaluation(store, 'e')), report, lines: await scenarioLines(store, 'e') }
}

test('imports the counts, errors, mean scores and latency that Phoenix reports', async () => {
  const store = await createImportStore()
  const { evaluations } = await importInto(store, EXPERIMENT)
  const { scenarios } = await storedEvaluation(store, evaluations[0]?.id ?? '')
  const failedScenarios = scenarios.filter(({ outputs }) => outputs[0]?.result.error)
  // GET /v1/experiments/{id}: example_count, successful_run_count and failed_run_count.
  assert.equal(new Set(scenarios.map(({ id }) => id.replace(/:2$/, ''))).size, 4)
  assert.deepEqual([scenarios.length - failedScenarios.length, failedScenarios.length], [6, 2])
  // The annotation summaries, and the average latency in milliseconds.
  const summary = (name: string) => {
    const results = scenarios.flatMap(({ results }) =>
      results.filter(({ evaluator_config }) => evaluator_config === name).map(({ result }) => result),
    )
    const scores = results.map(({ value }) => value).filter((value) => typeof value === 'number')
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
    return [results.length, results.filter(({ error }) => error).length, mean]
  }
  assert.deepEqual(summary('exact'), [8, 2, 0.8333333333333334])
  assert.deepEqual(summary('judge'), [8, 2, 0.5])
  assert.deepEqual(summary('length'), [8, 2, 1.3095238095238095])
  assert.deepEqual(summary('nothing'), [8, 0, Number.NaN])
  assert.deepEqual(summary('tone'), [8, 0, Number.NaN])
  const latency = scenarios.reduce((sum, { outputs }) => sum + (outputs[0]?.latency ?? Number.NaN), 0)
  assert.equal(((latency / 8) * 1000).toFixed(6), '0.733875')
})

test('imports repetitions as scenarios, the first with the id of the example', async () => {
  const { scenarios } = await importRuns(RUN, { ...RUN, repetition_number: 2, output: 'b' })
  assert.deepEqual(
    scenarios.map(({ id, extra }) => [id, extra?.sample, extra?.repetition]),
    [
      ['ex1', 'ex1', 1],
      ['ex1:2', 'ex1', 2],
    ],
  )
})

for (const [what, annotation, result] of [
  ['a score', { score: 0.5, label: 'fair' }, { type: 'number', value: 0.5 }],
  ['a score of 0', { score: 0, label: 'False' }, { type: 'number', value: 0 }],
  ['a label without a score', { score: null, label: 'fair' }, { type: 'text', value: 'fair' }],
  ['neither score nor label', { score: null, label: null }, { type: 'number', value: null }],
  ['nothing at all', {}, { type: 'number', value: null }],
  ['an error', { score: null, error: 'boom' }, { type: 'error', value: null, error: { message: 'boom' } }],
] as const) {
  test(`imports an annotation with ${what} as ${result.type} ${result.value}`, async () => {
    const { scenarios } = await importRuns({ ...RUN, annotations: [{ name: 'judge', ...annotation }] })
    assert.deepEqual(scenarios[0]?.results, [{ evaluator_config: 'judge', result }])
  })
}

test('imports a score of NaN as not scored', async () => {
  const text = JSON.stringify({ ...RUN, annotations: [{ name: 'judge', score: 7 }] }).replace('7', 'NaN')
  const { scenarios, report } = await importRuns(text)
  assert.deepEqual(scenarios[0]?.results[0]?.result, { type: 'number', value: null })
  assert.equal(report.repaired, 1)
})

test('imports an explanation as the reason, and stores a label next to a score', async () => {
  const judge = {
    name: 'judge',
    score: 1,
    label: 'good',
    explanation: 'so',
    annotator_kind: 'LLM',
    metadata: {},
  }
  const { scenarios } = await importRuns({ ...RUN, annotations: [judge] })
  assert.deepEqual(scenarios[0]?.extra?.results, [{ reason: 'so', label: 'good', annotator_kind: 'LLM' }])
})

test('imports a failed run with an error, without a value, and with its latency', async () => {
  const { scenarios } = await importRuns({ ...RUN, output: null, error: "RuntimeError('x')" })
  const result = { type: 'error', value: null, error: { message: "RuntimeError('x')" } }
  assert.deepEqual(scenarios[0]?.outputs, [{ result, latency: 1.5 }])
})

test('does not treat an empty or null output as an error', async () => {
  const { scenarios } = await importRuns({ ...RUN, output: '' }, { ...RUN, example_id: 'ex2', output: null })
  assert.deepEqual(
    scenarios.map(({ outputs }) => outputs[0]?.result),
    [
      { type: 'text', value: '' },
      { type: 'text', value: null },
    ],
  )
})

test('preserves the text of values, and imports reference lists as several answers', async () => {
  const text = JSON.stringify({ ...RUN, output: 7 })
    .replace('"output":7', '"output":{"n":1.0}')
    .replace('{"question":"q"}', '{"n":9007199254740993}')
    .replace('{"answer":"a"}', '{"tags":["a",1.0],"none":null}')
  const { lines, scenarios } = await importRuns(text)
  assert.match(lines, /"value":9007199254740993\}.*"value":\{"n":1.0\}/)
  assert.deepEqual(scenarios[0]?.correct_answers, [
    { key: 'tags', value: 'a' },
    { key: 'tags', value: '1.0' },
  ])
})

test('uses the earliest start time as the time of the experiment', async () => {
  const { evaluation } = await importRuns(RUN, {
    ...RUN,
    example_id: 'x',
    start_time: '2026-05-01T07:59:59Z',
  })
  assert.equal(evaluation.created_at, '2026-05-01T07:59:59.000Z')
})

test('names the evaluation and the variant after the file', async () => {
  const store = await createImportStore()
  const path = file(RUN)
  await importInto(store, path, '--evaluation', 'a')
  await importInto(store, path, '--evaluation', 'b', '--variant', 'bot')
  const [a, b] = [await storedEvaluation(store, 'a'), await storedEvaluation(store, 'b')]
  assert.deepEqual([a.evaluation.name, a.evaluation.variant_id], ['nightly', 'nightly'])
  assert.deepEqual([b.evaluation.name, b.evaluation.variant_id], ['nightly', 'bot'])
})

for (const [what, change] of [
  ['input that is a text', { input: 'q' }],
  ['a reference that is a text', { reference_output: 'a' }],
  ['annotations that are not a list', { annotations: 'none' }],
  ['annotations without a name', { annotations: [{ score: 1 }, 7, null] }],
  ['a repetition that is a text', { repetition_number: 'two' }],
  ['a latency that is a text', { latency_ms: 'fast' }],
  ['an error that is an object', { error: { code: 1 } }],
  ['a score that is a text', { annotations: [{ name: 'x', score: 'high' }] }],
  ['an invalid time', { start_time: 7 }],
] as const) {
  test(`imports a run with ${what} without data loss`, async () => {
    const { lines } = await importRuns({ ...RUN, ...change })
    for (const leaf of leaves(change)) assert.ok(lines.includes(leaf), leaf)
  })
}

test('rejects a record that is not an object, with its number', async () => {
  const store = await createImportStore()
  const report = await importInto(store, file(RUN, '"x"', { ...RUN, example_id: 'y' }), '--skip-invalid')
  assert.deepEqual(
    report.refusals.map(({ record, line }) => [record, line]),
    [[2, 2]],
  )
  assert.equal(report.evaluations[0]?.accepted, 2)
})

test('stores nothing of a truncated file', async () => {
  const store = await createImportStore()
  const path = join(createTempFolder(), 'x.json')
  writeFileSync(path, `[${JSON.stringify(RUN)},{"example_id":"y","repetition`)
  assert.deepEqual(await detectingImporters(path), ['phoenix'])
  const report = await importInto(store, path)
  assert.deepEqual([report.stored, report.refused], [false, 1])
})

test('sorts repetitions by example, regardless of the order of the file', async () => {
  const run = (example_id: string, repetition_number?: number) => ({ ...RUN, example_id, repetition_number })
  const { scenarios } = await importRuns(run('b', 2), run('a', 1), run('b', 1), run('a', 2))
  assert.deepEqual(
    scenarios.map(({ id }) => id),
    ['b', 'b:2', 'a', 'a:2'],
  )
  const uncounted = await importRuns(run('a'), run('a'))
  assert.deepEqual(
    uncounted.scenarios.map(({ id }) => id),
    ['a', 'a #2'],
  )
})

test('rejects a record that is not a run', async () => {
  const store = await createImportStore()
  const report = await importInto(store, file(RUN, { results: [], version: 3 }))
  assert.deepEqual(
    report.refusals.map(({ record }) => record),
    [2],
  )
})
