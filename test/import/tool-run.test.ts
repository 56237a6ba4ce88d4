// Tests the code shared by the importers for other tools.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { ScenarioBuilder } from '../../src/import/scenario-builder.ts'
import { Source } from '../../src/import/source.ts'
import { scenarioEvents } from '../../src/import/tool-run.ts'
import { validateRecord } from '../../src/import/validate-record.ts'
import { scanRecord } from '../../src/json/records.ts'
import { Json } from '../../src/json/value.ts'
import { checkScenario } from '../../src/schema/scenarios.ts'
import { createTempFolder } from '../support/harness.ts'
import { createImportStore, importInto, storedEvaluation } from '../support/import-file.ts'

function writeTempFile(name: string, content: string): string {
  const path = join(createTempFolder(), name)
  writeFileSync(path, content)
  return path
}

const repeatElement = (count: number, element: string) => Array(count).fill(element).join(',')

for (const [format, name, content, message] of [
  [
    'deepeval',
    'test_run.json',
    `{"testCases":[{"input":"x","actualOutput":"o","metricsData":[${repeatElement(20_000, '{}')}]}]}`,
    /more than 10000 inputs, answers and results/,
  ],
  [
    'deepeval',
    'test_run.json',
    `{"testCases":[{"input":"x","actualOutput":"o","metricsData":[${repeatElement(200_000, '{}')}]}]}`,
    /more than 100000 elements/,
  ],
  [
    'inspect',
    'log.json',
    `{"eval":{"task":"t","model":"m"},"samples":[{"id":1,"epoch":1,"input":"x","target":[${repeatElement(200_000, '1')}]}]}`,
    /more than 100000 elements/,
  ],
  [
    'phoenix',
    'runs.json',
    `[{"example_id":"e","repetition_number":1,"input":{},"annotations":[${repeatElement(20_000, '{"name":"a"}')}]}]`,
    /more than 10000 inputs, answers and results/,
  ],
] as const) {
  test(`rejects a ${format} record with too many elements and reports its location: ${message.source}`, async () => {
    const report = await importInto(
      await createImportStore(),
      writeTempFile(name, content),
      '--format',
      format,
    )
    assert.equal(report.stored, false)
    assert.deepEqual(
      report.refusals.map(({ record, line }) => [record, line]),
      [[1, 1]],
    )
    assert.match(report.refusals[0]?.detail ?? '', message)
  })
}

test('numbers test cases with the same name by their `order`, not by their position in the file', async () => {
  const cases = [0, 1, 2].map((order) => ({
    name: 'n',
    input: `i${order}`,
    actualOutput: 'o',
    order,
    metricsData: [],
  }))
  for (const testCases of [cases, cases.toReversed()]) {
    const store = await createImportStore()
    const path = writeTempFile('test_run.json', JSON.stringify({ testCases }))
    const { evaluations } = await importInto(store, path)
    const { scenarios } = await storedEvaluation(store, evaluations[0]?.id ?? '')
    assert.deepEqual(
      scenarios.map(({ id, inputs }) => [id, inputs[0]?.value]),
      [
        ['n', 'i0'],
        ['n #2', 'i1'],
        ['n #3', 'i2'],
      ],
    )
  }
})

test('imports all samples whose ids differ only in type, epoch or an epoch suffix', async () => {
  const sample = (id: number | string, epoch: number) => ({
    id,
    epoch,
    input: `${typeof id} ${id} ${epoch}`,
    target: '',
  })
  const samples = [sample('a', 1), sample('a', 2), sample('a_epoch_2', 1), sample(1, 1), sample('1', 1)]
  const store = await createImportStore()
  const log = { eval: { task: 't', model: 'm', eval_id: 'e' }, samples }
  const report = await importInto(store, writeTempFile('log.json', JSON.stringify(log)))
  assert.deepEqual([report.refusals, report.evaluations[0]?.accepted], [[], 5])
})

test('reads the preview of a file in linear time, even if a string contains many escaped quotes', async () => {
  const path = writeTempFile('q.json', `{"a":"${'\\"'.repeat(400_000)}"}`)
  // Backtracking at each quote would take minutes.
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const source = await Source.open(path, createTempFolder())
    assert.deepEqual(source.jsonPreview?.names, ['a'])
    await source.close()
  }
})

test('numbers results of one scenario that have the same evaluator name', async () => {
  const annotations = [
    { name: 'a', score: 1 },
    { name: 'a', score: 0 },
    { name: 'a #2', score: 0.5 },
  ]
  const store = await createImportStore()
  const runs = [{ example_id: 'e', repetition_number: 1, input: {}, annotations }]
  const { evaluations } = await importInto(store, writeTempFile('runs.json', JSON.stringify(runs)))
  const { scenarios } = await storedEvaluation(store, evaluations[0]?.id ?? '')
  assert.deepEqual(
    scenarios[0]?.results.map(({ evaluator_config, result }) => [evaluator_config, result.value]),
    [
      ['a', 1],
      ['a #2', 0],
      ['a #2 #2', 0.5],
    ],
  )
})

/** Two records each: one without an id, and one with an id. */
for (const [format, name, content, ids] of [
  ['table', 'table.csv', 'id,input.q\n,a\nx,b\n', { 1: true, x: undefined }],
  [
    'promptfoo',
    'results.json',
    '{"results":{"version":3,"prompts":[{"raw":"p","label":"p","provider":"m"}],"results":[{"promptIdx":0,"testIdx":0,"vars":{"q":"a"},"response":{"output":"o"}},{"id":"x","promptIdx":0,"testIdx":1,"vars":{"q":"b"},"response":{"output":"o"}}]}}',
    // The ids of promptfoo are random in every run.
    { 0: true, x: true },
  ],
  [
    'deepeval',
    'test_run.json',
    '{"testCases":[{"input":"a","actualOutput":"o"},{"name":"test_case_1","input":"b","actualOutput":"o"},{"name":"x","input":"c","actualOutput":"o"},{"name":"test_case_9","input":"d","actualOutput":"o"}]}',
    { test_case_0: true, test_case_1: true, x: undefined, test_case_9: undefined },
  ],
  [
    'phoenix',
    'runs.json',
    '[{"repetition_number":1,"input":{"q":"a"},"output":"o"},{"example_id":"x","input":{"q":"b"},"output":"o"}]',
    { 1: true, x: undefined },
  ],
  [
    'openai',
    'items.jsonl',
    '{"run_id":"r","item":{"q":"a"},"grades":{}}\n{"run_id":"r","data_source_idx":7,"item":{"q":"b"},"grades":{}}\n',
    { 1: true, 7: undefined },
  ],
  [
    'lm-eval',
    'samples_task_2026-01-01T00-00-00.000000.jsonl',
    '{"doc":{"q":"a"},"target":"t","resps":[["o"]],"filtered_resps":["o"],"acc":1.0}\n{"doc_id":7,"doc":{"q":"b"},"target":"t","resps":[["o"]],"filtered_resps":["o"],"acc":1.0}\n',
    { 'record 1': true, 7: undefined },
  ],
  [
    'scenarios',
    'scenarios.ndjson',
    '{"id":"x","inputs":[]}\n{"id":"y","inputs":[]}\n',
    { x: undefined, y: undefined },
  ],
] as const) {
  test(`marks ids as generated that are not the same in every run: ${format}`, async () => {
    const store = await createImportStore()
    const report = await importInto(store, writeTempFile(name, content), '--format', format)
    assert.deepEqual(report.refusals, [])
    const { scenarios } = await storedEvaluation(store, report.evaluations[0]?.id ?? '')
    assert.deepEqual(
      Object.fromEntries(scenarios.map(({ id, has_generated_id }) => [id, has_generated_id])),
      ids,
    )
  })
}

test('validates a scenario like the text that is made of it, also where it exceeds limits', () => {
  const names = fc.constantFrom('a', 'b', 'results', 'sample', 'q"', 'ä', '\u{d800}', '__proto__')
  const { value: values } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 8 },
      fc.constantFrom('1', '-0.0', '1e400', 'null', 'true', '""', '"a\\"b"', '"é\\u0000"', '"\\ud800"'),
      fc.array(tie('value'), { maxLength: 4 }).map((elements) => `[${elements.join(',')}]`),
      fc
        .uniqueArray(fc.tuple(names, tie('value')), { selector: ([name]) => name, maxLength: 5 })
        .map((members) => `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`),
    ),
  }))
  const limits = { depth: 8, members: 5, elements: 5, record_bytes: 400 }
  const place = { index: 0, line: 1, offset: 0 }
  // Without a scan, nothing is known about a text.
  const jsons = values.chain((text) => {
    const { scanned } = scanRecord(Buffer.from(text), place, limits)
    return fc.constantFrom(new Json(text), scanned ? Json.scanned(scanned) : new Json(text))
  })
  const one = new Json('1')
  // Generated records rarely have two members with one name, and no other defect.
  const repeated: [string, Json][] = Array(2).fill(['a', one])
  let [acceptedCount, rejectedCount] = [0, 0]
  fc.assert(
    fc.property(
      fc.array(fc.tuple(names, jsons), { maxLength: 6 }),
      fc.array(fc.tuple(names, jsons, fc.array(fc.tuple(names, jsons), { maxLength: 2 })), { maxLength: 3 }),
      fc.array(fc.tuple(names, jsons), { maxLength: 7 }),
      (extras, results, inputs) => {
        const builder = new ScenarioBuilder('id')
        for (const [name, value] of inputs) builder.addInput(name, value)
        for (const [name, value, extra] of results) builder.addResult(name, { value, extra })
        for (const [name, value] of extras) builder.addExtra(name, value)
        for (const [, value] of extras) builder.addUnusedMembers(value, new Set())
        const bytes = Buffer.from(Json.object(builder.members()).text)
        fc.pre(bytes.length <= limits.record_bytes)
        const { content, errors, problem } = validateRecord(scanRecord(bytes, place, limits), checkScenario)
        const events = [...scenarioEvents(builder, place, limits)]
        const details = (errors ?? [problem]).map(
          (error) => error && ('detail' in error ? error.detail : error.message),
        )
        if (content)
          assert.deepEqual(events, [
            { kind: 'scenario', place: { index: 0, line: 1 }, content, hasGeneratedId: false },
          ])
        else
          assert.deepEqual(
            events.map((event) => event.kind === 'rejection' && event.detail),
            details,
          )
        if (content) acceptedCount += 1
        else rejectedCount += 1
      },
    ),
    { numRuns: 600, examples: [[[], [['a', one, repeated]], []]] },
  )
  assert.ok(acceptedCount > 100 && rejectedCount > 20, `${acceptedCount} accepted, ${rejectedCount} rejected`)
})
