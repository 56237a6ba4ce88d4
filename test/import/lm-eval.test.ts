// Tests the lm-evaluation-harness importer: score states, joining of files, and edge cases.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isResultsCompanion } from '../../src/import/lm-eval/results.ts'
import type { ImportReport } from '../../src/schema/imports.ts'
import { createTempFolder } from '../support/harness.ts'
import {
  createImportStore,
  detectingImporters,
  importInto,
  type Stored,
  storedEvaluation,
} from '../support/import-file.ts'

const STAMP = '2026-01-02T03-04-05.678901'

const sample = (changes: object = {}) => ({
  doc_id: 0,
  doc: { question: 'q' },
  target: 't',
  arguments: { gen_args_0: { arg_0: 'Q: q', arg_1: { until: ['\n'] } } },
  resps: [['said']],
  filtered_resps: ['said'],
  filter: 'none',
  metrics: ['acc'],
  acc: 1.0,
  ...changes,
})

const results = (changes: object = {}) => ({
  results: { demo: { alias: 'demo', 'acc,none': 1 } },
  configs: { demo: { task: 'demo' } },
  versions: { demo: 2 },
  higher_is_better: { demo: { acc: true, ppl: false } },
  config: { model: 'hf', model_args: 'pretrained=org/m,token=hf_secret' },
  date: 1767323045.5,
  task_hashes: { demo: 'abc' },
  model_name: 'org/m',
  ...changes,
})

type Files = Record<string, unknown>

/** Creates a folder with these files. Arrays are written as JSONL, anything else as JSON. */
function folderOf(files: Files): string {
  const folder = createTempFolder()
  for (const [name, content] of Object.entries(files)) {
    const text = Array.isArray(content)
      ? content.map((row) => JSON.stringify(row)).join('\n')
      : typeof content === 'string'
        ? content
        : JSON.stringify(content)
    writeFileSync(join(folder, name), text)
  }
  return folder
}

async function importRun(
  files: Files,
  name = Object.keys(files)[0] ?? '',
  ...flags: string[]
): Promise<{ report: ImportReport; evaluations: Stored[] }> {
  const store = await createImportStore()
  const report = await importInto(store, join(folderOf(files), name), ...flags)
  const evaluations: Stored[] = []
  for (const { id } of report.evaluations) evaluations.push(await storedEvaluation(store, id))
  return { report, evaluations }
}

async function scenariosOf(...rows: object[]) {
  const { evaluations, report } = await importRun({ [`samples_demo_${STAMP}.jsonl`]: rows })
  assert.deepEqual(report.refusals, [])
  return evaluations[0]?.scenarios ?? []
}

async function scenarioOf(changes: object) {
  const [scenario] = await scenariosOf(sample(changes))
  assert.ok(scenario)
  return scenario
}

const VALUES: [string, string, object][] = [
  ['imports a number as a score', '0.25', { type: 'number', value: 0.25 }],
  ['imports a score of 0 as a score', '0.0', { type: 'number', value: 0 }],
  ['imports a bool as a bool', 'false', { type: 'bool', value: false }],
  ['imports NaN as not scored', 'NaN', { type: 'number', value: null }],
  ['imports null as not scored', 'null', { type: 'number', value: null }],
  ['imports a pair for an aggregation unchanged', '[-1.5, 9]', { type: 'json', value: [-1.5, 9] }],
]

for (const [promise, value, expected] of VALUES) {
  test(promise, async () => {
    const line = JSON.stringify(sample()).replace('"acc":1', `"acc":${value}`)
    const { evaluations } = await importRun({ [`samples_demo_${STAMP}.jsonl`]: line })
    assert.deepEqual(evaluations[0]?.scenarios[0]?.results, [{ evaluator_config: 'acc', result: expected }])
  })
}

test('imports a listed but missing metric as not scored', async () => {
  const { results } = await scenarioOf({ metrics: ['acc', 'f1'] })
  assert.deepEqual(results[1], { evaluator_config: 'f1', result: { type: 'number', value: null } })
})

test('imports the members of a document and the prompt as inputs, without duplicates', async () => {
  const { inputs, outputs, correct_answers, extra } = await scenarioOf({ doc_hash: 'h' })
  assert.deepEqual(
    inputs.map(({ name, value }) => [name, value]),
    [
      ['question', 'q'],
      ['prompt', 'Q: q'],
    ],
  )
  assert.deepEqual(outputs, [{ result: { type: 'text', value: 'said' } }])
  assert.deepEqual(correct_answers, [{ key: 'target', value: 't' }])
  assert.deepEqual(extra, {
    arguments: { gen_args_0: { arg_1: { until: ['\n'] } } },
    filter: 'none',
    doc_hash: 'h',
  })
})

test('distinguishes a document member named prompt from the prompt that was sent', async () => {
  const { inputs } = await scenarioOf({ doc: { prompt: 'own' } })
  assert.deepEqual(
    inputs.map(({ name, value }) => [name, value]),
    [
      ['prompt', 'own'],
      ['arguments', 'Q: q'],
    ],
  )
})

test('combines the lines of several filters in one scenario, in document order', async () => {
  const lines = ['strict', 'loose'].flatMap((filter) =>
    [7, 2].map((doc_id) =>
      sample({ doc_id, filter, filtered_resps: [`${filter} ${doc_id}`], acc: doc_id / 10 }),
    ),
  )
  const scenarios = await scenariosOf(...lines)
  assert.deepEqual(
    scenarios.map(({ id, extra }) => [id, extra?.repetition]),
    [
      ['2', undefined],
      ['7', undefined],
    ],
  )
  assert.deepEqual(
    scenarios[1]?.results.map(({ evaluator_config, result }) => [evaluator_config, result.value]),
    [
      ['acc,strict', 0.7],
      ['acc,loose', 0.7],
    ],
  )
  assert.deepEqual(scenarios[1]?.outputs[0]?.result.value, 'strict 7')
  assert.deepEqual(scenarios[1]?.extra?.filtered_resps, { strict: ['strict 7'], loose: ['loose 7'] })
  assert.deepEqual(scenarios[1]?.extra?.resps, [['said']])
})

test('imports lines with the same document and filter as repetitions', async () => {
  const scenarios = await scenariosOf(sample(), sample({ doc_id: 1 }), sample({ acc: 0 }))
  assert.deepEqual(
    scenarios.map(({ id, extra }) => [id, extra?.sample, extra?.repetition]),
    [
      ['0', '0', 1],
      ['0 #2', '0', 2],
      ['1', undefined, undefined],
    ],
  )
})

test('imports several responses on one line as one scenario', async () => {
  const [scenario, ...others] = await scenariosOf(
    sample({ resps: [['a', 'b']], filtered_resps: [['a', 'b']] }),
  )
  assert.equal(others.length, 0)
  assert.deepEqual(scenario?.outputs[0]?.result, { type: 'json', value: ['a', 'b'] })
})

/** A question with these continuations. `best` has the highest likelihood. */
const choice = (continuations: string[], best: number, changes: object = {}) => {
  const likelihoods = continuations.map((_, index) => [index === best ? '-0.5' : '-10.25', 'False'])
  return {
    arguments: Object.fromEntries(
      continuations.map((arg_1, index) => [`gen_args_${index}`, { arg_0: 'Q', arg_1 }]),
    ),
    resps: likelihoods.map((pair) => [pair]),
    filtered_resps: likelihoods,
    ...changes,
  }
}

const CHOICES: [string, object, unknown, string[]][] = [
  [
    'uses the continuation with the highest likelihood as output, and adds the text of the choice as an answer',
    choice([' A', ' B'], 1, { doc: { choices: ['cold', 'warm'] }, target: '0' }),
    ' B',
    ['0', 'cold'],
  ],
  [
    'reads choices with labels',
    choice([' x', ' y'], 0, { doc: { choices: { text: ['x', 'y'], label: ['A', 'B'] } }, target: '1' }),
    ' x',
    ['1', 'y'],
  ],
  [
    'uses the continuation as answer if the document has no choices',
    choice([' no', ' yes'], 1, { target: 1 }),
    ' yes',
    ['1', 'yes'],
  ],
  [
    'imports several targets as several answers',
    choice([' a', ' b', ' c'], 1, { target: '[0, 2]' }),
    ' b',
    ['[0, 2]', 'a', 'c'],
  ],
  [
    'does not read a target as an index if it is one of the choices',
    choice([' 2', ' 1', ' 0'], 0, { target: '1' }),
    ' 2',
    ['1'],
  ],
  [
    'does not read a target as an index if it is out of range',
    choice([' a', ' b'], 0, { target: '7' }),
    ' a',
    ['7'],
  ],
  [
    'uses the prompt as output if only the prompts differ',
    {
      ...choice(['.', '.'], 1, { target: '0' }),
      arguments: { gen_args_0: { arg_0: 'He', arg_1: '.' }, gen_args_1: { arg_0: 'She', arg_1: '.' } },
    },
    'She',
    ['0', 'He'],
  ],
  [
    'ignores continuations that were scored again without a prompt',
    {
      target: '0',
      arguments: Object.fromEntries(
        ['Q', 'Q', '', ''].map((arg_0, index) => [
          `gen_args_${index}`,
          { arg_0, arg_1: ' ab'[1 + (index % 2)] },
        ]),
      ),
      filtered_resps: [-3, -2, -1, -1].map((likelihood) => [String(likelihood), 'False']),
    },
    'b',
    ['0', 'a'],
  ],
  [
    'reads the lists and numbers of old versions',
    {
      target: 1,
      arguments: [
        ['Q', ' a'],
        ['Q', ' b'],
      ],
      resps: [[[-1.5, true]], [[-2.5, false]]],
      filtered_resps: [
        [-1.5, true],
        [-2.5, false],
      ],
    },
    ' a',
    ['1', 'b'],
  ],
  ['does not treat a single continuation as a choice', choice([' a'], 0), ['-0.5', 'False'], ['t']],
  [
    'never chooses nan or -inf',
    choice([' a', ' b', ' c'], 0, {
      filtered_resps: [
        ['nan', 'False'],
        ['-inf', 'False'],
        ['-99.5', 'False'],
      ],
    }),
    ' c',
    ['t'],
  ],
]

for (const [promise, changes, output, answers] of CHOICES) {
  test(promise, async () => {
    const { outputs, correct_answers } = await scenarioOf(changes)
    assert.deepEqual(outputs[0]?.result.value, output)
    assert.deepEqual(
      correct_answers?.map(({ value }) => value),
      answers,
    )
  })
}

test('finds the results file of the same run by the time in its name', async () => {
  const rows = [sample({ metrics: ['acc', 'ppl'], ppl: 3 })]
  for (const name of [`results_${STAMP}.json`, `mine_${STAMP}.json`]) {
    const { evaluations, report } = await importRun({
      [`samples_demo_${STAMP}.jsonl`]: rows,
      [name]: results(),
      'results_2026-01-02T03-04-06.json': results({ model_name: 'other' }),
    })
    const [storedRun] = evaluations
    assert.match(storedRun?.evaluation.id ?? '', /^demo-[0-9a-f]{16}$/)
    assert.equal(storedRun?.evaluation.created_at, '2026-01-02T03:04:05.500Z')
    assert.equal(storedRun?.evaluation.variant_id, 'demo')
    assert.deepEqual(storedRun?.evaluation.evaluators, [
      { name: 'acc', higher_is_better: true },
      { name: 'ppl', higher_is_better: false },
    ])
    assert.deepEqual(storedRun?.revision?.config, {
      config_name: 'org/m',
      parameters: {
        model_name: 'org/m',
        config: { model: 'hf', model_args: 'pretrained=org/m,token=***' },
        task_config: { task: 'demo' },
        task_version: 2,
      },
    })
    assert.equal(report.repaired, 1, 'the token is masked and reported')
  }
})

test('imports runs with two models as one variant with two revisions', async () => {
  const files = (stamp: string, model_name: string, date: number) => ({
    [`samples_demo_${stamp}.jsonl`]: [sample()],
    [`results_${stamp}.json`]: results({ model_name, date }),
  })
  const folder = folderOf({
    ...files('2026-01-02T03-04-05', 'a', 1),
    ...files('2026-01-02T03-04-06', 'b', 2),
  })
  const store = await createImportStore()
  const ids: (string | undefined)[] = []
  for (const stamp of ['2026-01-02T03-04-05', '2026-01-02T03-04-06']) {
    const report = await importInto(store, join(folder, `samples_demo_${stamp}.jsonl`))
    ids.push(report.evaluations[0]?.id)
  }
  const storedRun = await Promise.all(ids.map((id) => storedEvaluation(store, id ?? '')))
  assert.deepEqual(
    storedRun.map(({ evaluation }) => [evaluation.variant_id, evaluation.revision]),
    [
      ['demo', 1],
      ['demo', 2],
    ],
  )
})

test('imports samples without a results file', async () => {
  const { evaluations } = await importRun({ [`samples_my_task_${STAMP}.jsonl`]: [sample()] })
  assert.match(evaluations[0]?.evaluation.id ?? '', /^[0-9a-f]{16}$/)
  assert.equal(evaluations[0]?.evaluation.variant_id, 'my_task')
  assert.equal(evaluations[0]?.evaluation.created_at, '2026-01-02T03:04:05.678Z')
})

const RUN: Files = {
  [`results_${STAMP}.json`]: results(),
  [`samples_demo_${STAMP}.jsonl`]: [sample()],
  [`samples_other_${STAMP}.jsonl`]: [sample({ doc_id: 3 })],
  'samples_demo_2026-01-02T03-04-06.jsonl': [sample()],
}

test('imports the samples of a results file, with one evaluation per task', async () => {
  const { evaluations } = await importRun(RUN)
  assert.deepEqual(
    evaluations.map(({ evaluation, scenarios }) => [evaluation.name, scenarios.map(({ id }) => id)]),
    [
      ['demo', ['0']],
      ['other', ['3']],
    ],
  )
})

test('imports the same evaluation from the results file and from the samples', async () => {
  const folder = folderOf(RUN)
  const store = await createImportStore()
  const wholeReport = await importInto(store, join(folder, `results_${STAMP}.json`))
  const part = await importInto(store, join(folder, `samples_demo_${STAMP}.jsonl`))
  assert.deepEqual(part.evaluations, [{ ...wholeReport.evaluations[0], accepted: 0, unchanged: 1 }])
})

test('appends the task to a given evaluation id if there are several tasks', async () => {
  const { report } = await importRun(RUN, undefined, '--evaluation', 'mine')
  assert.deepEqual(
    report.evaluations.map(({ id }) => id),
    ['mine:demo', 'mine:other'],
  )
})

test('rejects a results file without samples and reports what is missing', async () => {
  const { report } = await importRun({ [`results_${STAMP}.json`]: results() })
  assert.equal(report.stored, false)
  assert.match(report.refusals[0]?.detail ?? '', /--log_samples/)
})

test('does not import the results file of a folder a second time', () => {
  const names = Object.keys(RUN)
  assert.deepEqual(
    names.filter((name) => isResultsCompanion(name, names)),
    [`results_${STAMP}.json`],
  )
  assert.equal(isResultsCompanion(`results_${STAMP}.json`, [`results_${STAMP}.json`]), false)
})

test('reports an unreadable results file next to the samples', async () => {
  const truncatedResults = JSON.stringify(results()).slice(0, -1)
  const { report } = await importRun({
    [`samples_demo_${STAMP}.jsonl`]: [sample()],
    [`results_${STAMP}.json`]: truncatedResults,
  })
  assert.match(report.refusals[0]?.detail ?? '', /^results_.* cannot be read/)
})

test('rejects unreadable lines with their location and can skip them', async () => {
  const lines = [JSON.stringify(sample()), '{"doc_id": 1', '', '[]', JSON.stringify(sample({ doc_id: 2 }))]
  const files = { [`samples_demo_${STAMP}.jsonl`]: lines.join('\n') }
  const { report } = await importRun(files)
  assert.equal(report.stored, false)
  assert.deepEqual(
    report.refusals.map(({ record, line }) => [record, line]),
    [
      [2, 2],
      [3, 4],
    ],
  )
  const valid = await importRun(files, undefined, '--skip-invalid')
  assert.deepEqual(
    valid.evaluations[0]?.scenarios.map(({ id }) => id),
    ['0', '2'],
  )
})

test('reads the records of a truncated array', async () => {
  const text = `[\n${JSON.stringify(sample())},\n${JSON.stringify(sample({ doc_id: 1 }))},\n{"doc_id":2,"doc":{}`
  const { evaluations, report } = await importRun({ 'samples.jsonl': text }, undefined, '--skip-invalid')
  assert.equal(report.refused, 1)
  assert.deepEqual(
    evaluations[0]?.scenarios.map(({ id }) => id),
    ['0', '1'],
  )
})

test('accepts values of an unexpected type', async () => {
  const scenarios = await scenariosOf(
    sample({ doc: 'a text', target: null, arguments: 'none', resps: 7, filtered_resps: 'x', metrics: [3] }),
    sample({ doc_id: 'named', doc: [], arguments: [1, 'a'], filtered_resps: [], metrics: 'acc', filter: 4 }),
    sample({
      doc_id: null,
      doc: { a: 1 },
      arguments: { gen_args_0: 'p' },
      filtered_resps: [[1, 2, 3], null],
    }),
  )
  assert.deepEqual(
    scenarios.map(({ id }) => id),
    ['0', 'named', 'record 3'],
  )
  const [first, second] = scenarios
  assert.deepEqual([first?.extra?.arguments, first?.extra?.resps], ['none', 7])
  assert.equal(second?.extra?.metrics, 'acc')
})

test('detects both files, even with very long results or documents', async () => {
  const manyTasks = Object.fromEntries(
    Array.from({ length: 900 }, (_, index) => [
      `task_${index}`,
      { alias: `task_${index}`, 'acc_stderr,none': 0.123456 },
    ]),
  )
  const folder = folderOf({
    [`results_${STAMP}.json`]: { ...results(), results: manyTasks },
    [`samples_demo_${STAMP}.jsonl`]: [sample({ doc: { text: 'x'.repeat(70_000) } })],
  })
  for (const name of [`results_${STAMP}.json`, `samples_demo_${STAMP}.jsonl`])
    assert.deepEqual(await detectingImporters(join(folder, name)), ['lm-eval'])
})
