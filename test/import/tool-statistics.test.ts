// Tests that an import compares what it read with the counts and means that the tool wrote into the same file.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTempFolder } from '../support/harness.ts'
import { createImportStore, importInto } from '../support/import-file.ts'

/** The notes of an import of the first file. The others are in the same folder. */
async function notesOf(files: Record<string, unknown>): Promise<string[]> {
  const folder = createTempFolder()
  const [name = ''] = Object.keys(files)
  for (const [file, content] of Object.entries(files))
    writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content))
  const report = await importInto(await createImportStore(), join(folder, name))
  assert.deepEqual(report.refusals, [])
  return report.notes.map(({ pointer, detail }) => `${pointer}: ${detail}`)
}

const PROMPTFOO_ROW = (index: number, state: 'passed' | 'failed' | 'error', promptIdx = 0) => ({
  id: `row-${promptIdx}-${index}`,
  testIdx: index,
  promptIdx,
  vars: { x: String(index) },
  response: state === 'error' ? { error: 'timeout' } : { output: 'out' },
  success: state === 'passed',
  failureReason: ['passed', 'failed', 'error'].indexOf(state),
})

const promptfooFile = (results: object[], more: object, metrics: (object | undefined)[] = [undefined]) => ({
  'out.json': {
    evalId: 'e',
    config: { description: 'd' },
    results: {
      version: 3,
      prompts: metrics.map((each, index) => ({
        raw: `p${index}`,
        label: `p${index}`,
        provider: 'echo',
        metrics: each,
      })),
      results,
      ...more,
    },
  },
})

test('promptfoo: notes that rows are missing, by column if the file counts columns', async () => {
  const rows = [PROMPTFOO_ROW(0, 'passed'), PROMPTFOO_ROW(1, 'failed'), PROMPTFOO_ROW(2, 'error')]
  const stats = { successes: 1, failures: 1, errors: 1 }
  assert.deepEqual(await notesOf(promptfooFile(rows, { stats })), [])
  assert.deepEqual(await notesOf(promptfooFile(rows, { stats: { ...stats, successes: 5 } })), [
    '/results/stats: promptfoo counts 7 results (5 passed, 1 failed, 1 errors), but 3 were imported (1 passed, 1 failed, 1 errors).',
  ])
  // Old versions count errors as failures.
  assert.deepEqual(await notesOf(promptfooFile(rows, { stats: { successes: 1, failures: 2 } })), [])
  const metrics = { testPassCount: 1, testFailCount: 0, testErrorCount: 0 }
  const columns = [PROMPTFOO_ROW(0, 'passed', 0), PROMPTFOO_ROW(0, 'failed', 1)]
  const bothStats = { stats: { successes: 2, failures: 0, errors: 0 } }
  assert.deepEqual(await notesOf(promptfooFile(columns, bothStats, [metrics, metrics])), [
    '/results/prompts/1/metrics: promptfoo counts 1 results (1 passed, 0 failed, 0 errors), but 1 were imported (0 passed, 1 failed, 0 errors).',
  ])
})

const inspectLog = (values: unknown[], results: object, more: object = {}, epochs = 1) => ({
  'log.json': {
    version: 2,
    status: 'success',
    eval: {
      eval_id: 'i',
      task: 't',
      model: 'm',
      dataset: {},
      created: '2026-01-01T00:00:00Z',
      config: { epochs },
    },
    results: { total_samples: values.length, completed_samples: values.length, ...results },
    samples: values.map((value, index) => ({
      id: Math.floor(index / epochs) + 1,
      epoch: (index % epochs) + 1,
      input: 'q',
      target: 'a',
      scores: value === undefined ? {} : { grader: { value } },
      ...(value === undefined && { error: { message: 'failed' } }),
    })),
    ...more,
  },
})

const graderScore = (metrics: object, more: object = {}) => ({
  scores: [{ name: 'grader', scorer: 'grader', params: {}, metrics, ...more }],
})
const accuracy = (value: number, params: object = {}) => ({ accuracy: { name: 'accuracy', value, params } })

test('Inspect: notes other means and missing samples', async () => {
  assert.deepEqual(await notesOf(inspectLog(['C', 'I', 'C', 'P'], graderScore(accuracy(0.625)))), [])
  assert.deepEqual(await notesOf(inspectLog(['C', 'I', 'unclear', 'C'], graderScore(accuracy(0.5)))), [
    '/results/scores/0/metrics/accuracy: Inspect reports 0.5 as the accuracy of grader, but the mean of the imported values is 0.666667 (3 of 4 values are numbers).',
  ])
  assert.deepEqual(await notesOf(inspectLog(['good', 'bad'], graderScore(accuracy(0)))), [
    '/results/scores/0/metrics/accuracy: Inspect reports 0 as the accuracy of grader, but none of the 2 imported values is a number.',
  ])
  assert.deepEqual(await notesOf(inspectLog(['C', 'I'], { total_samples: 5, completed_samples: 5 })), [
    '/results/total_samples: Inspect counts 5 samples, but 2 were imported.',
  ])
  const canceled = { status: 'cancelled' }
  assert.deepEqual(await notesOf(inspectLog(['C'], { total_samples: 5, completed_samples: 1 }, canceled)), [])
  assert.deepEqual(await notesOf(inspectLog(['C'], { total_samples: 5, completed_samples: 3 }, canceled)), [
    '/results/completed_samples: Inspect counts 3 completed samples, but 1 were imported.',
  ])
})

test('Inspect: compares only means that are the mean of all samples', async () => {
  for (const [log, reason] of [
    [inspectLog([1, 5], graderScore(accuracy(0.5, { to_float: 'pass_at_3' }))), 'own conversion'],
    [inspectLog([0, 1], graderScore(accuracy(1), { reducer: 'max' }), {}, 2), 'another reducer'],
    [inspectLog([0, 1, null, 1], graderScore(accuracy(0.75)), {}, 2), 'an epoch without a score'],
    [
      inspectLog([1, 0, undefined], { ...graderScore(accuracy(0.5)), completed_samples: 2 }),
      'a failed sample',
    ],
    [inspectLog([1, 0], graderScore({ stderr: { name: 'stderr', value: 7 } })), 'another metric'],
  ] as const)
    assert.deepEqual(await notesOf(log), [], reason)
  const epochs = inspectLog([0, 1, 1, 1], graderScore(accuracy(0.5), { reducer: 'mean' }), {}, 2)
  assert.match((await notesOf(epochs))[0] ?? '', /reports 0\.5 as the accuracy of grader, but .* is 0\.75\.$/)
})

const lmEvalRun = (values: unknown[], results: object, more: object = {}) => ({
  'samples_t_2026-01-01T00-00-00.jsonl': values
    .map((acc, doc_id) =>
      JSON.stringify({ doc_id, doc: { q: doc_id }, filter: 'none', metrics: ['acc'], acc, resps: [['a']] }),
    )
    .join('\n'),
  'results_2026-01-01T00-00-00.json': {
    results: { t: { alias: 't', ...results } },
    configs: { t: { metric_list: [{ metric: 'acc', aggregation: 'mean' }] } },
    versions: { t: 1 },
    config: {},
    ...more,
  },
})

test('lm-evaluation-harness: notes other means and missing samples', async () => {
  const notes = (length: number) =>
    `/results/t: lm-evaluation-harness counts ${length} samples of t, but 2 were imported.`
  assert.deepEqual(await notesOf(lmEvalRun([1, 0], { 'acc,none': 0.5, sample_len: 2 })), [])
  assert.deepEqual(await notesOf(lmEvalRun([1, 0], { 'acc,none': 0.5, sample_len: 3 })), [notes(3)])
  const counted = (effective: number) => ({ 'n-samples': { t: { original: 9, effective } } })
  assert.deepEqual(await notesOf(lmEvalRun([1, 0], { 'acc,none': 0.5 }, counted(4))), [notes(4)])
  // Without a limit, samples that were selected by their ids are not counted.
  assert.deepEqual(await notesOf(lmEvalRun([1, 0], { 'acc,none': 0.5 }, counted(9))), [])
  assert.deepEqual(await notesOf(lmEvalRun([1, 0], { 'acc,none': 0.75 })), [
    '/results/t/acc,none: lm-evaluation-harness reports 0.75 as the acc of acc, but the mean of the imported values is 0.5.',
  ])
  const other = { configs: { t: { metric_list: [{ metric: 'acc', aggregation: 'median' }] } } }
  assert.deepEqual(await notesOf(lmEvalRun([1, 0], { 'acc,none': 0.75 }, other)), [])
})

test('DeepEval: notes missing test cases', async () => {
  const testCases = [true, false, null].map((success, order) => ({
    name: `case-${order}`,
    input: 'q',
    actualOutput: 'a',
    success,
    order,
    metricsData: [{ name: 'm', score: 1, success: true }],
  }))
  const run = (testPassed: number) => ({
    'test_run.json': { testCases, metricsScores: [], testPassed, testFailed: 1 },
  })
  assert.deepEqual(await notesOf(run(1)), [])
  assert.deepEqual(await notesOf(run(3)), [
    '/testPassed: DeepEval counts 3 passed and 1 failed test cases, but the file has 1 passed and 1 failed ones.',
  ])
})
