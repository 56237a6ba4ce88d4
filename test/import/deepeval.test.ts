// Tests the DeepEval importer: the five result states, and values that are easily confused.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { ImportReport } from '../../src/schema/imports.ts'
import { runAssayCommand } from '../support/command-runner/run.ts'
import { createTempFolder } from '../support/harness.ts'
import {
  createImportStore,
  detectingImporters,
  importInto,
  type Stored,
  storedEvaluation,
} from '../support/import-file.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures/import/deepeval', import.meta.url))

interface MetricScores {
  metric: string
  scores: (number | null)[]
  passes: number
  fails: number
  errors: number
}

async function importFile(
  content: unknown,
  name = 'run.json',
  ...flags: string[]
): Promise<Stored & { report: ImportReport }> {
  const file = join(createTempFolder(), name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  const store = await createImportStore()
  const report = await importInto(store, file, '--format', 'deepeval', ...flags)
  const [evaluation] = report.evaluations
  assert.ok(evaluation, JSON.stringify(report.refusals))
  return { ...(await storedEvaluation(store, evaluation.id)), report }
}

/** Imports a run with this test case and returns the first scenario. */
async function scenarioOf(testCase: object) {
  const { scenarios } = await importFile({ testCases: [{ name: 'one', input: 'q', ...testCase }] })
  const [scenario] = scenarios
  assert.ok(scenario)
  return scenario
}

const metric = (members: object) => ({
  actualOutput: 'a',
  metricsData: [{ name: 'M', threshold: 0.5, ...members }],
})
const result = (evaluator_config: string, type: string, value: unknown) => ({
  evaluator_config,
  result: { type, value },
})

const STATES: [string, object, object[]][] = [
  [
    'imports a score and its verdict as two results',
    metric({ score: 0.75, success: true }),
    [result('M', 'number', 0.75), result('M.success', 'bool', true)],
  ],
  [
    'imports a score of 0 as a score',
    metric({ score: 0, success: false }),
    [result('M', 'number', 0), result('M.success', 'bool', false)],
  ],
  [
    'imports a failed metric as an error without a verdict',
    metric({ success: false, error: 'timeout' }),
    [
      {
        evaluator_config: 'M',
        result: { type: 'error', value: null, error: { message: 'timeout' } },
      } as never,
    ],
  ],
  [
    'imports a null score as not scored',
    metric({ score: null, success: null }),
    [result('M', 'number', null)],
  ],
  ['imports a missing score as not scored', metric({}), [result('M', 'number', null)]],
  [
    'imports a metric without a verdict as a score only',
    metric({ score: 3, success: null }),
    [result('M', 'number', 3)],
  ],
  [
    'imports a skipped metric as not scored',
    metric({ skipped: true, score: 0, success: false }),
    [result('M', 'number', null)],
  ],
  [
    'numbers metrics with the same name',
    { metricsData: [1, 0.5, 0].map((score) => ({ name: 'M', score })) },
    [result('M', 'number', 1), result('M #2', 'number', 0.5), result('M #3', 'number', 0)],
  ],
  [
    'imports a label as text and expectations as a metric',
    {
      classifications: [{ name: 'C', label: 'spam', success: false }],
      expectationsData: { score: 1, success: true },
    },
    [
      result('C', 'text', 'spam'),
      result('C.success', 'bool', false),
      result('expectations', 'number', 1),
      result('expectations.success', 'bool', true),
    ],
  ],
]

for (const [promise, testCase, expected] of STATES) {
  test(promise, async () => {
    const { results } = await scenarioOf(testCase)
    assert.deepEqual(JSON.parse(JSON.stringify(results)), expected)
  })
}

test('imports NaN as not scored and reports it', async () => {
  const text =
    '{"testCases":[{"name":"one","input":"q","metricsData":[{"name":"M","score":NaN,"success":false}]}]}'
  const { scenarios, report } = await importFile(text)
  assert.deepEqual(scenarios[0]?.results[0]?.result, { type: 'number', value: null })
  assert.equal(report.repaired, 1)
})

test('uses the error of the outermost span as the output when the application raised', async () => {
  const trace = {
    status: 'SUCCESS',
    toolSpans: [{ status: 'ERRORED', parentUuid: 'a', error: 'inner' }],
    baseSpans: [{ uuid: 'a', status: 'ERRORED', error: 'outer' }],
  }
  const { outputs, extra } = await scenarioOf({ trace })
  assert.deepEqual(outputs[0]?.result, { type: 'error', value: null, error: { message: 'outer' } })
  assert.deepEqual(extra?.trace, trace)
})

test('ignores an errored trace when there is an output', async () => {
  const { outputs } = await scenarioOf({ actualOutput: '', trace: { status: 'ERRORED' } })
  assert.deepEqual(outputs[0]?.result, { type: 'text', value: '' })
})

test('ignores a failed inner span when the outermost span succeeded', async () => {
  const trace = { status: 'SUCCESS', toolSpans: [{ status: 'ERRORED', parentUuid: 'a', error: 'inner' }] }
  assert.deepEqual((await scenarioOf({ trace })).outputs, [])
})

test('maps every member of a test case and stores the rest in extra', async () => {
  const scenario = await scenarioOf({
    actualOutput: 'Paris',
    expectedOutput: 'Paris',
    expectedTools: [{ name: 'search' }, { name: 'read' }],
    context: ['c'],
    retrievalContext: ['r'],
    metadata: { lang: 'fr' },
    tokenCost: 0.25,
    completionTime: 1.5,
    runDuration: 99,
    comments: 'look again',
    success: null,
    tags: ['geo'],
    metricsData: [{ name: 'M', score: 1, reason: 'right', strictMode: true, evaluationModel: 'judge' }],
  })
  assert.deepEqual(
    scenario.inputs.map(({ name }) => name),
    ['input', 'context', 'retrievalContext', 'metadata'],
  )
  assert.deepEqual(scenario.outputs, [{ result: { type: 'text', value: 'Paris' }, cost: 0.25, latency: 1.5 }])
  assert.deepEqual(scenario.correct_answers, [
    { key: 'expectedOutput', value: 'Paris' },
    { key: 'expectedTools', value: '{"name":"search"}' },
    { key: 'expectedTools', value: '{"name":"read"}' },
  ])
  assert.equal(scenario.note, 'look again')
  assert.deepEqual(scenario.extra, {
    results: [{ reason: 'right', strictMode: true, evaluationModel: 'judge' }],
    runDuration: 99,
    tags: ['geo'],
  })
})

test('imports conversations with their turns as input, after the other test cases', async () => {
  const { scenarios } = await importFile({
    conversationalTestCases: [
      {
        name: 'talk',
        order: 0,
        scenario: 's',
        expectedOutcome: 'o',
        turns: [{ role: 'user', content: 'hi' }],
      },
    ],
    testCases: [
      { name: 'late', input: 'q', order: 5, success: true },
      { name: 'early', input: 'q', order: 1 },
    ],
  })
  assert.deepEqual(
    scenarios.map(({ id }) => id),
    ['early', 'late', 'talk'],
  )
  assert.deepEqual(scenarios[2]?.correct_answers, [{ key: 'expectedOutcome', value: 'o' }])
  assert.deepEqual(
    scenarios[2]?.inputs.map(({ name }) => name),
    ['scenario', 'turns'],
  )
})

test('imports all test cases with the same name, even if a numbered name is taken', async () => {
  const names = ['a', 'a #2', 'a', 'a']
  const { scenarios } = await importFile({
    testCases: names.map((name) => ({ name, input: 'q', success: true })),
  })
  assert.deepEqual(
    scenarios.map(({ id }) => id),
    ['a', 'a #2', 'a #2 #2', 'a #3'],
  )
})

test('imports the name, configuration and thresholds of a run', async () => {
  const file = {
    testRunData: {
      testCases: [
        { name: '1', input: 'q', metricsData: [{ name: 'M', threshold: 0.5, score: 1, success: true }] },
        { name: '2', input: 'q', metricsData: [{ name: 'N', threshold: 0.5, score: 1 }] },
        { name: '3', input: 'q', metricsData: [{ name: 'N', threshold: 0.6, score: 1 }] },
      ],
      identifier: 'bot',
      testFile: 'test_bot.py',
      hyperparameters: { model: 'm-1' },
      prompts: [{ alias: 'p', text_template: 'Hi {{x}}' }],
      testPassed: 1,
    },
    testRunLink: 'https://example.com',
  }
  const { evaluation, revision } = await importFile(file, 'test_run_20260512_030100_2.json')
  assert.equal(evaluation.name, 'bot')
  assert.equal(evaluation.variant_id, 'bot')
  assert.equal(evaluation.created_at, '2026-05-12T03:01:00.000Z')
  assert.deepEqual(evaluation.evaluators, [
    { name: 'M', threshold: 0.5 },
    { name: 'M.success', higher_is_better: true },
    { name: 'N' },
  ])
  const { file: _, ...metadata } = evaluation.metadata as Record<string, unknown>
  assert.deepEqual(metadata, {
    testRunLink: 'https://example.com',
    testFile: 'test_bot.py',
    testPassed: 1,
  })
  assert.deepEqual(revision?.config, {
    config_name: 'p',
    parameters: {
      hyperparameters: { model: 'm-1' },
      prompts: [{ alias: 'p', text_template: 'Hi {{x}}' }],
    },
  })
})

test('imports the same evaluation from snake_case names', async () => {
  const metricData = { name: 'M', score: 1, success: true }
  const camel = {
    testCases: [
      {
        name: 'a',
        input: 'q',
        actualOutput: 'x',
        expectedOutput: 'y',
        completionTime: 2,
        metricsData: [metricData],
      },
    ],
    conversationalTestCases: [{ name: 'b', turns: [], expectedOutcome: 'z', metricsData: [metricData] }],
    metricsScores: [{ metric: 'M', scores: [1, 1], passes: 2, fails: 0, errors: 0 }],
    datasetAlias: 'set',
  }
  const snake = JSON.parse(
    JSON.stringify(camel).replaceAll(/"(\w+)":/g, (name) =>
      name.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
    ),
  )
  assert.ok(snake.test_cases[0].actual_output)
  const [camelScenarios, snakeScenarios] = [await importFile(camel), await importFile(snake)]
  const without = ({ scenarios }: Stored) => scenarios.map(({ evaluation_id, ...scenario }) => scenario)
  assert.deepEqual(without(snakeScenarios), without(camelScenarios))
  assert.deepEqual(snakeScenarios.evaluation.evaluators, camelScenarios.evaluation.evaluators)
  assert.equal(snakeScenarios.evaluation.variant_id, 'set')
  const { metrics_scores } = snakeScenarios.evaluation.metadata as { metrics_scores: object[] }
  assert.deepEqual(metrics_scores, [{ metric: 'M', passes: 2, fails: 0, errors: 0 }])
})

test('assigns runs without a name to one variant, regardless of the time in the file name', async () => {
  const run = { testCases: [{ name: '1', input: 'q', success: true }] }
  for (const name of ['test_run_20260512_030100.json', '.latest_test_run.json', '.latest_run_full.json'])
    assert.equal((await importFile(run, name)).evaluation.variant_id, 'deepeval')
  assert.equal((await importFile(run, 'shop_20260512_030100.json')).evaluation.variant_id, 'shop')
})

test('omits a trace that is too large and reports it', async () => {
  const trace = { status: 'SUCCESS', output: 'x'.repeat(2000) }
  const run = { testCases: [{ name: 'one', input: 'q', actualOutput: 'a', tags: ['t'], trace }] }
  const { scenarios, report } = await importFile(run, 'run.json', '--max-record-bytes', '1024')
  assert.deepEqual(scenarios[0]?.extra, { tags: ['t'] })
  assert.deepEqual([report.repairs[0]?.record, report.repairs[0]?.pointer], [1, '/trace'])
})

test('stores values of an unexpected type without rejecting the record', async () => {
  const { extra, results, note } = await scenarioOf({
    metricsData: [{ name: 'M', score: 'high' }, 'nonsense'],
    tokenCost: 'free',
    completionTime: [],
    comments: { by: 'me' },
    trace: 'none',
    order: 'first',
    context: 'one text',
  })
  assert.deepEqual(results, [result('M', 'text', 'high')])
  assert.equal(note, null)
  assert.deepEqual(Object.keys(extra ?? {}).sort(), [
    'comments',
    'completionTime',
    'metricsData',
    'order',
    'tokenCost',
    'trace',
  ])
})

test('rejects unreadable records with their location and can skip them', async () => {
  const file = join(createTempFolder(), 'run.json')
  const cases = ['{"name":"a","input":"q","success":true}', '7', '{"name":"b","name":"c"}']
  writeFileSync(file, `{"testCases":[\n${cases.join(',\n')}\n]}`)
  const store = await createImportStore()
  const report = await importInto(store, file)
  assert.equal(report.stored, false)
  assert.deepEqual(
    report.refusals.map(({ record, line }) => [record, line]),
    [
      [2, 3],
      [3, 4],
    ],
  )
  const valid = await importInto(store, file, '--skip-invalid')
  assert.deepEqual([valid.stored, valid.evaluations[0]?.accepted], [true, 1])
})

test('rejects a file without test cases', async () => {
  for (const content of [
    '{"testRunLink":"https://example.com"}',
    '{"testRunData":"none"}',
    '{"testCases":7}',
  ]) {
    const file = join(createTempFolder(), 'run.json')
    writeFileSync(file, content)
    const report = await importInto(await createImportStore(), file, '--format', 'deepeval')
    assert.equal(report.refused, 1)
    assert.match(report.refusals[0]?.detail ?? '', /no test cases/)
  }
})

test('detects a bare list of results and a file with a very long first case', async () => {
  const long = { testCases: [{ name: 'a', input: 'x'.repeat(70_000), metricsData: [] }] }
  for (const content of [[{ name: 'a', success: true, metrics_data: [], input: 'q' }], long]) {
    const file = join(createTempFolder(), 'results.json')
    writeFileSync(file, JSON.stringify(content))
    assert.deepEqual(await detectingImporters(file), ['deepeval'])
    assert.equal((await importInto(await createImportStore(), file)).evaluations[0]?.accepted, 1)
  }
})

for (const name of [
  'test_run_20261115_123910.json',
  'test_run_20261115_123910_2.json',
  'test_run_20261115_123912.json',
]) {
  test(`imports the passes, scores and errors that DeepEval reports for ${name}`, async () => {
    const text = readFileSync(join(FIXTURES, name), 'utf8')
    const countedRun = JSON.parse(text.replaceAll('NaN', 'null')) as {
      testPassed: number
      testFailed: number
      metricsScores: MetricScores[]
    }
    const { scenarios } = await importFile(text, name)
    const passedCount = scenarios.filter(({ extra }) => extra?.success === true).length
    assert.deepEqual(
      [passedCount, scenarios.length - passedCount],
      [countedRun.testPassed, countedRun.testFailed],
    )
    const results = scenarios.flatMap((scenario) => scenario.results)
    for (const { metric, scores, passes, fails, errors } of countedRun.metricsScores) {
      const numbered = new RegExp(`^${metric}( #\\d+)?(\\.success)?$`)
      const ownResults = results.filter(({ evaluator_config }) => numbered.test(evaluator_config))
      const verdicts = ownResults.filter(({ evaluator_config }) => evaluator_config.endsWith('.success'))
      const scoreResults = ownResults.filter(({ evaluator_config }) => !evaluator_config.endsWith('.success'))
      const failedResults = scoreResults.filter(({ result }) => result.error)
      assert.equal(verdicts.filter(({ result }) => result.value === true).length, passes, metric)
      assert.equal(verdicts.filter(({ result }) => result.value === false).length, fails, metric)
      // DeepEval counts every metric without a verdict as an error.
      assert.equal(scoreResults.length - verdicts.length, errors, metric)
      if (passes + fails > 0) assert.equal(failedResults.length, errors, metric)
      if (passes + fails > 0)
        assert.deepEqual(
          scoreResults.filter(({ result }) => !result.error).map(({ result }) => result.value),
          scores,
          metric,
        )
    }
  })
}

describe('a folder of DeepEval', () => {
  const fixture = fileURLToPath(
    new URL('../fixtures/import/deepeval/test_run_20261115_123910.json', import.meta.url),
  )
  const text = readFileSync(fixture, 'utf8').replaceAll('NaN', 'null')

  /** Imports a folder with these files, and returns the names of the imported ones and of the others. */
  async function importFolder(files: Record<string, string>) {
    const folder = createTempFolder()
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    const { stdout, code } = await runAssayCommand(['import', '--json', '--data', createTempFolder(), folder])
    const report = JSON.parse(stdout)
    assert.equal(code, 0)
    return {
      files: report.files.map(({ file }: { file: string }) => basename(file)).sort(),
      duplicates: report.duplicates.map(({ file, same_run_as }: Record<string, string>) => [
        basename(file ?? ''),
        basename(same_run_as ?? ''),
      ]),
    }
  }

  test('imports the latest run once, although DeepEval writes it to several files', async () => {
    const { testPassed: _, testFailed: _failed, ...unfinished } = JSON.parse(text)
    const name = 'test_run_20261115_123910.json'
    const copies = {
      '.latest_run_full.json': text,
      '.latest_test_run.json': JSON.stringify({ testRunData: JSON.parse(text), testRunLink: 'https://x' }),
      '.temp_test_run_data.json': JSON.stringify(unfinished, null, 2),
    }
    assert.deepEqual(await importFolder({ [name]: text, ...copies }), {
      files: [name],
      duplicates: Object.keys(copies).map((copy) => [copy, name]),
    })
    const withoutTime = await importFolder(copies)
    assert.equal(withoutTime.files.length, 1)
    assert.equal(withoutTime.duplicates.length, 2)
  })

  test('imports different runs, and equal results of different runs', async () => {
    const other = text.replace(/"score": [\d.]+/, '"score": 0.123')
    assert.notEqual(other, text)
    const files = {
      'test_run_20261115_123910.json': text,
      'test_run_20261116_123910.json': text,
      '.latest_test_run.json': JSON.stringify({ testRunData: JSON.parse(other) }),
    }
    assert.deepEqual(await importFolder(files), { files: Object.keys(files).sort(), duplicates: [] })
  })

  test('says in its report which file contains the same run', async () => {
    const folder = createTempFolder()
    for (const name of ['run.json', '.latest_run_full.json']) writeFileSync(join(folder, name), text)
    const { stdout } = await runAssayCommand(['import', '--data', createTempFolder(), folder])
    const [copy, run] = [join(folder, '.latest_run_full.json'), join(folder, 'run.json')]
    assert.ok(stdout.includes(`${copy}: skipped, the same run as ${run}\n`), stdout)
  })
})
