// Tests files that cannot be imported: files that describe results but contain none, and files of other kinds.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runAssayCommand } from '../support/command-runner/run.ts'
import { createTempFolder } from '../support/harness.ts'
import { createImportStore, importInto } from '../support/import-file.ts'
import { storeDump } from '../support/store-dump.ts'
import { zip } from '../support/zip-archives.ts'

function writeTempFile(content: unknown, name: string): string {
  const path = join(createTempFolder(), name)
  const isText = typeof content === 'string' || Buffer.isBuffer(content)
  writeFileSync(path, isText ? content : JSON.stringify(content))
  return path
}

const INSPECT_LOG = {
  version: 2,
  eval: { eval_id: 'i', task: 't', model: 'm', dataset: { samples: 5, sample_ids: [1, 2, 3, 4, 5] } },
  plan: {},
}
const PROMPTFOO_RUN = (stats: object) => ({
  evalId: 'e',
  results: { version: 3, prompts: [{ raw: 'p', label: 'p', provider: 'x' }], results: [], stats },
  config: {},
})

const EMPTY_FILES: Record<string, [name: string, content: unknown, detail: RegExp]> = {
  'promptfoo results that are only counted': [
    'results.json',
    PROMPTFOO_RUN({ successes: 3, failures: 1, errors: 0 }),
    /no results.* statistics count 4/,
  ],
  'a promptfoo run without tests': ['results.json', PROMPTFOO_RUN({ successes: 0 }), /no results/],
  'an Inspect log without samples': [
    'log.json',
    { ...INSPECT_LOG, status: 'success', results: { total_samples: 5, completed_samples: 5, scores: [] } },
    /lists 5 samples\. Its status is success\. .*only the header of a log/,
  ],
  'an Inspect log of a run that has just started': [
    'log.json',
    { ...INSPECT_LOG, status: 'started' },
    /lists 5 samples\. Its status is started\. Import it again/,
  ],
  'an Inspect archive with only its header': [
    'log.eval',
    zip([{ name: 'header.json', data: JSON.stringify({ ...INSPECT_LOG, status: 'error' }) }]),
    /lists 5 samples\. Its status is error/,
  ],
  'a DeepEval run without its test cases': [
    'run.json',
    { testFile: 't.py', testCases: [], metricsScores: [], testPassed: 3, testFailed: 1 },
    /no results.* The run counts 4 test cases/,
  ],
  'a CSV file with only a header': ['a.csv', 'input.q,output,score.ok\n', /no row, record or test case/],
  'a CSV file with only empty rows': ['a.csv', 'input.q,output\n,\n\n', /no row, record or test case/],
}

for (const [name, [file, content, detail]] of Object.entries(EMPTY_FILES)) {
  test(`rejects ${name} and stores nothing, also with --skip-invalid`, async () => {
    const store = await createImportStore()
    const dump = storeDump(store)
    const dumpBefore = await dump()
    for (const flags of [[], ['--skip-invalid']]) {
      const report = await importInto(store, writeTempFile(content, file), ...flags)
      assert.deepEqual([report.stored, report.refused, report.refusals.length], [false, 1, 1])
      assert.equal(report.refusals[0]?.record, null)
      assert.match(report.refusals[0]?.detail ?? '', detail)
    }
    assert.deepEqual(await dump(), dumpBefore)
  })
}

test('rejects lm-eval results if the samples of a task are missing', async () => {
  const store = await createImportStore()
  const folder = createTempFolder()
  const stamp = '2026-11-15T12-40-17.831033'
  const fixture = (name: string) =>
    readFileSync(fileURLToPath(new URL(`../fixtures/import/lm-eval/${name}`, import.meta.url)))
  writeFileSync(join(folder, `results_${stamp}.json`), fixture(`results_${stamp}.json`))
  writeFileSync(join(folder, `samples_toy_mc_${stamp}.jsonl`), fixture(`samples_toy_mc_${stamp}.jsonl`))
  writeFileSync(join(folder, `samples_toy_gsm_${stamp}.jsonl`), '')
  const { stored, refusals } = await importInto(store, join(folder, `results_${stamp}.json`))
  assert.equal(stored, false)
  assert.match(refusals[0]?.detail ?? '', /samples_toy_gsm_.*: The task toy_gsm has no samples/)
})

test('imports the full export of an evaluation without scenarios', async () => {
  const evaluation = { id: 'x', name: 'x', variant_id: null, revision: null }
  const path = writeTempFile({ evaluation, variant: null, revision: null }, 'export.ndjson')
  const { code, stdout } = await runAssayCommand(['import', path, '--data', createTempFolder()])
  assert.equal(code, 0)
  assert.match(stdout, /evaluation x.*: 0 scenarios added/)
})

const WEAVE_CALL = {
  id: '019',
  project_id: 'e/p',
  op_name: 'weave:///e/p/op/Evaluation.predict_and_score:abc',
  trace_id: 't',
  started_at: '2026-01-01T00:00:00Z',
  attributes: { weave: {} },
  inputs: { example: { q: 'a' } },
  output: { output: 'x', scores: { s: true } },
  summary: { weave: { status: 'success' } },
}
const WORKBOOK = zip([
  { name: '[Content_Types].xml', data: '<Types/>' },
  { name: 'xl/workbook.xml', data: '<workbook/>' },
])

const UNSUPPORTED_FILES: Record<string, [name: string, content: unknown, hint: RegExp]> = {
  'an empty file': ['a.jsonl', '', /The file is empty\./],
  'blank lines': ['a.jsonl', '\n \n', /contains no records/],
  'an empty array': ['a.json', '\ufeff[ ]\n', /contains no records/],
  'an empty object': ['a.json', '{}', /contains no records/],
  'an Excel workbook': ['a.xlsx', WORKBOOK, /is an Excel workbook\. Save it as CSV UTF-8/],
  'a ZIP archive': ['a.zip', zip([{ name: 'a.csv', data: 'q' }]), /is a ZIP archive\. Extract it/],
  'a pickle': ['a.bin', Buffer.from([0x80, 4, 0x95, 10, 0]), /is a Python pickle\./],
  'a web page': ['a.txt', '<!DOCTYPE html>\n<html>', /is a web page\. .* promptfoo eval -o results\.json/],
  XML: ['a.txt', '<?xml version="1.0"?>\n<promptfoo/>', /is XML\. .* promptfoo eval -o results\.json/],
  YAML: ['a.txt', 'evalId: e\nresults:\n  version: 3\n', /is YAML\. .* promptfoo eval -o results\.json/],
  'calls of Weave': ['a.jsonl', WEAVE_CALL, /calls from W&B Weave, .*\. Write one record per line/],
}

for (const [name, [file, content, hint]] of Object.entries(UNSUPPORTED_FILES)) {
  test(`says what to do with ${name}`, async () => {
    const path = writeTempFile(content, file)
    const { code, stderr } = await runAssayCommand(['import', path, '--data', createTempFolder()])
    assert.equal(code, 1)
    assert.match(stderr, /has an unknown format\.\n/)
    assert.match(stderr, hint)
    assert.doesNotMatch(stderr, /Similar formats|It could be a table/)
  })
}

const INVALID_JSON: [name: string, content: string, hint: RegExp][] = [
  [
    'a comma at the end',
    '{"evalId":"x",\n"results":[{},]}',
    /line 2, column 15: A value is missing before \] here\. Found: \]\}/,
  ],
  [
    'single quotes',
    "[{'id':'a'}]",
    /line 1, column 3: A name in double quotes is expected\. Found: 'id':'a'\}\]/,
  ],
  [
    'an invalid line',
    '\ufeff{"foo":1}\n{"foo":tru}\n',
    /line 2, column 8: tru is not valid JSON\. Found: tru\}/,
  ],
  [
    'a text after the value',
    '{"foo":1} x',
    /line 1, column 11: The text continues after the end of the value\. Found: x/,
  ],
]
for (const [name, content, hint] of INVALID_JSON)
  test(`says where JSON is invalid: ${name}`, async () => {
    const path = writeTempFile(content, 'a.json')
    const { code, stderr } = await runAssayCommand(['import', path, '--data', createTempFolder()])
    assert.equal(code, 1)
    assert.match(stderr, /has an unknown format\.\nThe file is not valid JSON, line/)
    assert.match(stderr, hint)
    assert.doesNotMatch(stderr, /Similar formats/)
  })

for (const [name, content] of [
  ['a record', `${'{"foo":"bar"}\n'.repeat(5000)}{"foo":"${'b'.repeat(70_000)}"}`],
  ['a string', `[{"foo":"${'b'.repeat(70_000)}"}]`],
  ['a word', `[${'true,'.repeat(20_000)}true]`],
] as const)
  test(`does not report invalid JSON if the beginning of a file ends inside of ${name}`, async () => {
    const path = writeTempFile(content, 'a.json')
    const { stderr } = await runAssayCommand(['import', path, '--data', createTempFolder()])
    assert.match(stderr, /has an unknown format\./)
    assert.doesNotMatch(stderr, /not valid JSON/)
  })

test('names the reason and at most three similar formats of a file with an unknown format', async () => {
  const record = { testCases: [], metricsData: [], example_id: 1, traceId: 2, grades: 3, inputs: {} }
  const path = writeTempFile(JSON.stringify({ run: record }), 'a.json')
  const { stderr } = await runAssayCommand(['import', path, '--data', createTempFolder()])
  assert.match(
    stderr,
    /\nNo format matches its members or columns 'run', 'run\.testCases', .*Similar formats: deepeval /,
  )
  assert.equal(stderr.split('; ').length, 3)
  assert.match(stderr, /Set the format with --format NAME: assay import --help lists all\.\n$/)
})
