// Tests the OpenAI importer: output items of downloaded runs and of API responses.
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

const FIXTURES = fileURLToPath(new URL('../fixtures/import/openai', import.meta.url))

/** An item of a downloaded run. */
const LINE = { run_id: 'run1', data_source_idx: 0, item: { input: 'q' }, grades: {}, passes: {} }
/** An item of an API response. */
const ITEM = {
  object: 'eval.run.output_item',
  id: 'outputitem_1',
  created_at: 1743092076,
  run_id: 'run1',
  eval_id: 'eval1',
  status: 'pass',
  datasource_item_id: 0,
  datasource_item: { input: 'q' },
  results: [],
  sample: { output: [{ role: 'assistant', content: 'a' }], error: null },
}

function file(content: string, name = 'items.jsonl'): string {
  const path = join(createTempFolder(), name)
  writeFileSync(path, content)
  return path
}

function lines(...items: (object | string)[]): string {
  return items.map((item) => `${typeof item === 'string' ? item : JSON.stringify(item)}\n`).join('')
}

/** The scalar values of an object, as texts. */
function leaves(value: unknown): string[] {
  if (value === null) return []
  return typeof value === 'object' ? Object.values(value).flatMap(leaves) : [String(value)]
}

async function importItems(...items: (object | string)[]) {
  const store = await createImportStore()
  const report = await importInto(store, file(lines(...items)))
  assert.deepEqual(report.refusals, [])
  const { id = '' } = report.evaluations[0] ?? {}
  return { ...(await storedEvaluation(store, id)), store, report, lines: await scenarioLines(store, id) }
}

for (const [what, change, results] of [
  [
    'grade and verdict',
    { grades: { g: 6.5 }, passes: { g: true } },
    [
      ['g', 'number', 6.5],
      ['g.passed', 'bool', true],
    ],
  ],
  [
    'a grade of 0 and a failed check',
    { grades: { g: 0 }, passes: { g: false } },
    [
      ['g', 'number', 0],
      ['g.passed', 'bool', false],
    ],
  ],
  ['a grade alone', { grades: { g: 1 }, passes: {} }, [['g', 'number', 1]]],
  ['a verdict alone', { passes: { g: false } }, [['g.passed', 'bool', false]]],
  [
    'null for both',
    { grades: { g: null }, passes: { g: null } },
    [
      ['g', 'number', null],
      ['g.passed', 'bool', null],
    ],
  ],
  ['no grades', { grades: {}, passes: {} }, []],
  [
    'a grader that failed',
    { grades: { g: 0 }, passes: { g: false }, grader_samples: { g: { error: { message: 'boom' } } } },
    [['g', 'error', null]],
  ],
] as const) {
  test(`imports a downloaded item with ${what}`, async () => {
    const { scenarios } = await importItems({ ...LINE, ...change })
    assert.deepEqual(
      scenarios[0]?.results.map(({ evaluator_config, result }) => [
        evaluator_config,
        result.type,
        result.value,
      ]),
      results,
    )
  })
}

for (const [what, result, results] of [
  [
    'score and verdict',
    { score: 1.0, passed: true },
    [
      ['g', 'number', 1],
      ['g.passed', 'bool', true],
    ],
  ],
  ['a score that is null', { score: null }, [['g', 'number', null]]],
  ['only a name', {}, [['g', 'number', null]]],
  ['a verdict alone', { passed: false }, [['g.passed', 'bool', false]]],
  [
    'an error',
    { score: 0, passed: false, sample: { error: { code: 'c', message: 'boom' } } },
    [['g', 'error', null]],
  ],
  [
    'an error that is empty',
    { score: 0, passed: false, sample: { error: { code: '', message: '' } } },
    [
      ['g', 'number', 0],
      ['g.passed', 'bool', false],
    ],
  ],
] as const) {
  test(`imports an API item whose result has ${what}`, async () => {
    const { scenarios } = await importItems({ ...ITEM, results: [{ name: 'g', ...result }] })
    assert.deepEqual(
      scenarios[0]?.results.map(({ evaluator_config, result }) => [
        evaluator_config,
        result.type,
        result.value,
      ]),
      results,
    )
  })
}

test('imports a grade of NaN as not scored', async () => {
  const { scenarios } = await importItems(JSON.stringify({ ...LINE, grades: { g: 7 } }).replace('7', 'NaN'))
  assert.deepEqual(scenarios[0]?.results[0]?.result, { type: 'number', value: null })
})

for (const [what, sample, result] of [
  ['an answer', { outputs: [{ content: 'a' }] }, { type: 'text', value: 'a' }],
  ['an empty answer', { outputs: [{ content: '' }] }, { type: 'text', value: '' }],
  ['no answer', { outputs: [] }, { type: 'text', value: null }],
  [
    'an error and an empty answer',
    { outputs: [{ content: '' }], error: { message: 'HTTP 429' } },
    { type: 'error', value: null, error: { message: 'HTTP 429' } },
  ],
  [
    'an error with only a code',
    { error: { code: 'rate_limit', message: '' } },
    { type: 'error', value: null, error: { message: 'rate_limit' } },
  ],
  [
    'a tool call instead of an answer',
    { outputs: [{ content: null, tool_calls: [1] }] },
    { type: 'json', value: { content: null, tool_calls: [1] } },
  ],
] as const) {
  test(`imports a sample with ${what} as ${result.type}`, async () => {
    const { scenarios } = await importItems({ ...LINE, sample })
    assert.deepEqual(scenarios[0]?.outputs, [{ result }])
  })
}

test('imports an item that was graded without a sample without an output', async () => {
  const { scenarios } = await importItems({ ...LINE, grades: { g: 1 } })
  assert.deepEqual(scenarios[0]?.outputs, [])
})

test('imports members that begin with expected as correct answers, and others as inputs', async () => {
  const text = JSON.stringify(LINE).replace('"q"', '{"n":1.0},"expected_n":1.50,"expected":["x","y"]')
  const { scenarios, lines } = await importItems(text)
  assert.match(lines, /"name":"input","type":"json","value":\{"n":1.0\}/)
  assert.deepEqual(scenarios[0]?.correct_answers, [
    { key: 'expected_n', value: '1.50' },
    { key: 'expected', value: 'x' },
    { key: 'expected', value: 'y' },
  ])
})

test('sorts items by the order of the data, not of the file', async () => {
  const { scenarios } = await importItems(
    { ...LINE, data_source_idx: 10 },
    { ...LINE, data_source_idx: 9 },
    { ...LINE, data_source_idx: 0 },
  )
  assert.deepEqual(
    scenarios.map(({ id }) => id),
    ['0', '9', '10'],
  )
})

test('imports each run as an evaluation, and equal settings as the same revision', async () => {
  const store = await createImportStore()
  const of = (run_id: string, data_source_idx: number, model: string) => ({
    ...LINE,
    run_id,
    data_source_idx,
    sample: { model, outputs: [{ content: run_id }] },
  })
  const items = [of('r1', 1, 'small'), of('r2', 0, 'large'), of('r1', 0, 'small'), of('r3', 0, 'small')]
  const report = await importInto(store, file(lines(...items)), '--variant', 'bot')
  assert.deepEqual(
    report.evaluations.map(({ id, accepted }) => [id, accepted]),
    [
      ['r1', 2],
      ['r2', 1],
      ['r3', 1],
    ],
  )
  for (const [id, revision, model] of [
    ['r1', 1, 'small'],
    ['r2', 2, 'large'],
    ['r3', 1, 'small'],
  ] as const) {
    const storedRun = await storedEvaluation(store, id)
    assert.deepEqual([storedRun.evaluation.variant_id, storedRun.evaluation.revision], ['bot', revision])
    assert.deepEqual(storedRun.revision?.config, { config_name: model, parameters: { model } })
    assert.ok(storedRun.scenarios.every(({ outputs }) => outputs[0]?.result.value === id))
  }
})

test('uses settings as parameters only if all items have the same value', async () => {
  const sample = (seed: number, content: string) => ({
    ...ITEM.sample,
    input: [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content },
    ],
    model: 'm',
    temperature: 1,
    max_completion_tokens: 2048,
    top_p: 0.5,
    seed,
  })
  const { revision, lines } = await importItems(
    { ...ITEM, sample: sample(1, 'x') },
    { ...ITEM, datasource_item_id: 1, sample: sample(2, 'y') },
    { ...ITEM, datasource_item_id: 2, sample: sample(1, 'z') },
    { ...ITEM, datasource_item_id: 3 },
  )
  assert.deepEqual(revision?.config.parameters, {
    model: 'm',
    temperature: 1,
    max_completion_tokens: 2048,
    top_p: 0.5,
    prompt: 'Be brief.',
  })
  assert.match(lines, /"seed":2/)
})

test('reads time and variant from API items and stores unmapped members in extra', async () => {
  const usage = { total_tokens: 7 }
  const { scenarios, evaluation } = await importItems({
    ...ITEM,
    results: [{ name: 'g', type: 't', score: 1, passed: true, reason: 'so', sample: null }],
    sample: { ...ITEM.sample, usage },
  })
  assert.deepEqual(scenarios[0]?.extra, {
    results: [{ reason: 'so', type: 't' }, {}],
    source_sample: { usage },
    id: 'outputitem_1',
    created_at: 1743092076,
    status: 'pass',
  })
  assert.deepEqual(
    [evaluation.id, evaluation.variant_id, evaluation.created_at],
    ['run1', 'eval1', '2025-03-27T16:14:36.000Z'],
  )
})

test('imports the same items from lines, an array and a page', async () => {
  const items = [ITEM, { ...ITEM, datasource_item_id: 1 }]
  const { lines: expected } = await importItems(...items)
  for (const text of [
    JSON.stringify(items, null, 1),
    JSON.stringify({ object: 'list', data: items, has_more: false }),
    JSON.stringify({ data: items, object: 'list', first_id: 'x' }, null, 2),
  ]) {
    const path = file(text, 'items.json')
    assert.deepEqual(await detectingImporters(path), ['openai'])
    const store = await createImportStore()
    const report = await importInto(store, path)
    assert.deepEqual([report.refused, report.repaired], [0, 0])
    assert.equal(await scenarioLines(store, 'run1'), expected)
  }
})

test('reports a page that is not the last one', async () => {
  const store = await createImportStore()
  const path = file(JSON.stringify({ object: 'list', data: [ITEM], has_more: true }), 'items.json')
  const report = await importInto(store, path)
  assert.match(report.repairs[0]?.detail ?? '', /Further items are not in this file/)
  assert.equal(report.evaluations[0]?.accepted, 1)
})

for (const [what, change] of [
  ['no run', { run_id: null, data_source_idx: 4 }],
  ['an item that is a text', { item: 'whole' }],
  ['a sample that is a text', { sample: 'whole' }],
  ['grades that are a list', { grades: ['odd'] }],
  ['passes that are a text', { passes: 'odd' }],
  ['results that are a text', { results: 'odd' }],
  ['results without names', { results: [{ score: 5 }, 'odd', null] }],
  ['a grade that is a text', { grades: { g: 'high' } }],
  ['outputs that are texts', { sample: { outputs: ['odd', 'other'] } }],
  ['an error that is a text', { sample: { error: 'odd' } }],
  ['an index that is an object', { data_source_idx: { odd: 1 } }],
  ['a grader without a grade', { grader_samples: { odd: { outputs: [] } } }],
] as const) {
  test(`imports a line with ${what} without data loss`, async () => {
    const { lines } = await importItems({ ...LINE, ...change })
    for (const leaf of leaves(change)) assert.ok(lines.includes(leaf), leaf)
  })
}

test('rejects a line that is not an object, with its number', async () => {
  const store = await createImportStore()
  const path = file(lines(LINE, '[]', '{"run_id":', { ...LINE, data_source_idx: 1 }))
  const report = await importInto(store, path, '--skip-invalid')
  assert.deepEqual(
    report.refusals.map(({ record, line }) => [record, line]),
    [
      [2, 2],
      [3, 3],
    ],
  )
  assert.equal(report.evaluations[0]?.accepted, 2)
})

test('imports all items of the fixtures', async () => {
  for (const [name, counts] of [
    ['items.jsonl', [2]],
    ['runs.jsonl', [2, 1]],
    ['page.json', [3]],
  ] as const) {
    const { evaluations } = await importInto(await createImportStore(), join(FIXTURES, name))
    assert.deepEqual(
      evaluations.map(({ accepted }) => accepted),
      counts,
    )
  }
})

test('imports every sample of an item as a scenario', async () => {
  const store = await createImportStore()
  const report = await importInto(store, file(lines(LINE, { ...LINE, data_source_idx: 1 }, LINE, LINE)))
  const { scenarios } = await storedEvaluation(store, report.evaluations[0]?.id ?? '')
  assert.deepEqual(
    scenarios.map(({ id, extra }) => [id, extra?.sample, extra?.repetition]),
    [
      ['0', '0', 1],
      ['0 #2', '0', 2],
      ['0 #3', '0', 3],
      ['1', '1', 1],
    ],
  )
})

test('rejects a line that is not an output item', async () => {
  const store = await createImportStore()
  const report = await importInto(store, file(lines(LINE, { results_version: 3 })))
  assert.deepEqual(
    report.refusals.map(({ record }) => record),
    [2],
  )
})

test('appends the run to a given evaluation id if there are several runs', async () => {
  const store = await createImportStore()
  const runs = lines(LINE, { ...LINE, run_id: 'run2' })
  const { evaluations } = await importInto(store, file(runs), '--evaluation', 'mine')
  assert.deepEqual(
    evaluations.map(({ id }) => id),
    ['mine:run1', 'mine:run2'],
  )
})
