// Tests the Inspect AI importer: result states, all layouts of the same log, and invalid files.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { ImportReport } from '../../src/schema/imports.ts'
import { createTempFolder } from '../support/harness.ts'
import {
  createImportStore,
  detectingImporters,
  importInto,
  type Stored,
  scenarioLines,
  storedEvaluation,
} from '../support/import-file.ts'
import { fullOnly, testOptions } from '../support/options.ts'
import { type Entry, zip } from '../support/zip-archives.ts'

const fixture = (name: string) =>
  fileURLToPath(new URL(`../fixtures/import/inspect/${name}`, import.meta.url))

const EVAL = {
  eval_id: 'run-1',
  created: '2026-03-01T10:00:00+00:00',
  task: 'quiz',
  dataset: { name: 'quiz' },
  model: 'mock/model',
  config: {},
}
const SAMPLE = { id: 'q1', epoch: 1, input: 'What is it?', target: 'a fox', output: { completion: 'a fox' } }

type Sample = Record<string, unknown>

/** The text can contain NaN, as written by Python. */
function textOf(value: unknown): string {
  return JSON.stringify(value).replaceAll('"NaN"', 'NaN')
}

function documentOf(samples: Sample[], head: object = {}): string {
  const file = join(createTempFolder(), 'log.json')
  writeFileSync(file, textOf({ version: 2, status: 'success', eval: EVAL, ...head, samples }))
  return file
}

function archiveOf(entries: Entry[], name = 'log.eval'): string {
  const file = join(createTempFolder(), name)
  writeFileSync(file, zip(entries))
  return file
}

function entriesOf(samples: Sample[], head: object = {}): Entry[] {
  const made = samples.map((sample) => ({
    name: `samples/${sample.id}_epoch_${sample.epoch}.json`,
    data: textOf(sample),
  }))
  return [...made, { name: 'header.json', data: textOf({ status: 'success', eval: EVAL, ...head }) }]
}

async function importLog(file: string, ...flags: string[]): Promise<Stored & { report: ImportReport }> {
  const store = await createImportStore()
  const report = await importInto(store, file, ...flags)
  const [first] = report.evaluations
  assert.ok(first, JSON.stringify(report))
  return { ...(await storedEvaluation(store, first.id)), report }
}

async function importRejectedLog(file: string, ...flags: string[]): Promise<ImportReport['refusals']> {
  const report = await importInto(await createImportStore(), file, ...flags)
  assert.ok(report.refused > 0, 'at least one record is rejected')
  return report.refusals
}

const text = (value: string) => ({ type: 'text', value })
const number = (value: number | null) => ({ type: 'number', value })
const errorResult = (message: string) => ({ type: 'error', value: null, error: { message } })
const judgeScores = (score: unknown) => ({ scores: { judge: score } })

const STATES: [what: string, sample: Sample, outputs: unknown, results: Record<string, unknown>][] = [
  ['an answer without scores', {}, text('a fox'), {}],
  ['an empty scores object', { scores: {} }, text('a fox'), {}],
  ['null instead of scores', { scores: null }, text('a fox'), {}],
  [
    'the application failed',
    { error: { message: 'HTTP 503', traceback: 'at line 3', traceback_ansi: '\u001b[31mat line 3' } },
    { type: 'error', value: null, error: { message: 'HTTP 503', stacktrace: 'at line 3' } },
    {},
  ],
  [
    'the application was stopped',
    { limit: { type: 'token', limit: 50 } },
    errorResult('Stopped at the token limit of 50.'),
    {},
  ],
  [
    'the application was stopped, with a reason',
    { limit: { type: 'custom', limit: 1, reason: 'no budget' } },
    errorResult('Stopped at the custom limit of 1: no budget'),
    {},
  ],
  [
    'the evaluator failed',
    judgeScores({ value: 'NaN', reason: 'grader_failed' }),
    text('a fox'),
    { judge: errorResult('grader_failed') },
  ],
  [
    'the evaluator failed, with an explanation',
    judgeScores({ value: null, reason: 'scoring_failed', explanation: 'no logprobs' }),
    text('a fox'),
    { judge: errorResult('no logprobs') },
  ],
  [
    'the evaluator failed, in a log without reason codes',
    judgeScores({ value: 'NaN', metadata: { unscored_reason: 'grader_failed' } }),
    text('a fox'),
    { judge: errorResult('grader_failed') },
  ],
  [
    'the check failed',
    judgeScores({ value: false }),
    text('a fox'),
    { judge: { type: 'bool', value: false } },
  ],
  ['the check passed', judgeScores({ value: true }), text('a fox'), { judge: { type: 'bool', value: true } }],
  ['NaN is not scored', judgeScores({ value: 'NaN' }), text('a fox'), { judge: number(null) }],
  [
    'a refusal is not scored',
    judgeScores({ value: 'NaN', reason: 'refusal' }),
    text('a fox'),
    { judge: number(null) },
  ],
  ['null is not scored', judgeScores({ value: null }), text('a fox'), { judge: number(null) }],
  ['no value is not scored', judgeScores({ answer: 'x' }), text('a fox'), { judge: number(null) }],
  ['zero is a score', judgeScores({ value: 0 }), text('a fox'), { judge: number(0) }],
  ['correct', judgeScores({ value: 'C' }), text('a fox'), { judge: number(1) }],
  ['incorrect', judgeScores({ value: 'I' }), text('a fox'), { judge: number(0) }],
  ['partly correct', judgeScores({ value: 'P' }), text('a fox'), { judge: number(0.5) }],
  ['no answer', judgeScores({ value: 'N' }), text('a fox'), { judge: number(0) }],
  ['another letter is a text', judgeScores({ value: 'A' }), text('a fox'), { judge: text('A') }],
  ['a word is a text', judgeScores({ value: 'constructor' }), text('a fox'), { judge: text('constructor') }],
  [
    'a list is unchanged',
    judgeScores({ value: [1, 0] }),
    text('a fox'),
    { judge: { type: 'json', value: [1, 0] } },
  ],
  [
    'an object is one result per key',
    judgeScores({ value: { tone: 'C', length: 12, ok: true, none: null, nan: 'NaN' } }),
    text('a fox'),
    {
      'judge.tone': number(1),
      'judge.length': number(12),
      'judge.ok': { type: 'bool', value: true },
      'judge.none': number(null),
      'judge.nan': number(null),
    },
  ],
  ['an empty object is not scored', judgeScores({ value: {} }), text('a fox'), { judge: number(null) }],
  ['the single score of an old log', { score: { value: 'C' } }, text('a fox'), { match: number(1) }],
  [
    'the unnamed score of a converted old log',
    { scores: { '88F74D2C': { value: 'C' } } },
    text('a fox'),
    { match: number(1) },
  ],
  ['no output', { output: { choices: [], completion: '' } }, { type: 'text', value: null }, {}],
  ['an empty output', { output: { choices: [{ message: { content: '' } }], completion: '' } }, text(''), {}],
  [
    'the message if there is no completion',
    { output: { choices: [{ message: { content: 'hi' } }] } },
    text('hi'),
    {},
  ],
  [
    'the parts of a message if there is no text',
    { output: { choices: [{ message: { content: [{ type: 'image' }] } }], completion: '' } },
    { type: 'json', value: [{ type: 'image' }] },
    {},
  ],
]
/** One log with all cases, imported once. */
const states = lazily(() => {
  const samples = STATES.map(([, sample], index) => ({ ...SAMPLE, id: index, ...sample }))
  return importLog(documentOf(samples, { results: { scores: [{ name: 'match', scorer: 'match' }] } }))
})
for (const [index, [what, , output, results]] of STATES.entries()) {
  test(`imports a sample: ${what}`, async () => {
    const scenario = (await states()).scenarios[index]
    assert.deepEqual(scenario?.outputs[0]?.result, output)
    const got = scenario?.results.map(({ evaluator_config, result }) => [evaluator_config, result])
    assert.deepEqual(Object.fromEntries(got ?? []), results)
  })
}

function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}

test('declares the evaluators by the names of the scores in the samples', async () => {
  const scores = [
    { name: 'match', scorer: 'match' },
    { name: 'match1', scorer: 'match' },
    { name: 'tone', scorer: 'judge' },
  ]
  const results = { match: { value: 1 }, match1: { value: 0 }, judge: { value: { tone: 1 } } }
  const log = documentOf([{ ...SAMPLE, scores: results }], { results: { scores } })
  const { evaluation, scenarios } = await importLog(log)
  const names = ['match', 'match1', 'judge.tone']
  assert.deepEqual(
    (evaluation.evaluators as { name: string }[]).map(({ name }) => name),
    names,
  )
  assert.deepEqual(
    scenarios[0]?.results.map(({ evaluator_config }: { evaluator_config: string }) => evaluator_config),
    names,
  )
})

test('stores further data of a score, including its letter, in extra.results', async () => {
  const score = {
    value: 'P',
    answer: 'fox',
    explanation: 'nearly',
    reason: 'refusal',
    metadata: { n: 1 },
    history: [],
  }
  const keys = { value: { a: 'C', b: 0 }, explanation: 'both', metadata: { n: 2 } }
  const { scenarios } = await importLog(documentOf([{ ...SAMPLE, scores: { judge: score, keys } }]))
  assert.deepEqual(scenarios[0]?.extra?.results, [
    { reason: 'nearly', value: 'P', answer: 'fox', source_reason: 'refusal', metadata: { n: 1 } },
    { reason: 'both', value: 'C', metadata: { n: 2 } },
    { reason: 'both' },
  ])
})

test('stores unmapped members in extra, but not events', async () => {
  const sample = {
    ...SAMPLE,
    choices: ['a fox', 'a cat'],
    metadata: { topic: 'animals' },
    target: ['a fox', 'fox'],
    messages: [{ role: 'user', content: 'hi' }],
    output: { completion: 'a fox', model: 'm', time: 3 },
    store: { n: 1 },
    events: [{ event: 'model' }],
    events_data: { messages: [] },
    timelines: [1],
    error_retries: [{ message: 'once', traceback: 't', traceback_ansi: 'c', events: [1] }],
    model_usage: { a: { total_cost: 0.25 }, b: { total_cost: 0.5, total_tokens: 3 } },
    total_time: 1.5,
    working_time: 1,
    invalidation: { author: 'Maya', reason: 'wrong target' },
    unheard_of: 9007199254740993n.toString(),
  }
  const { scenarios } = await importLog(documentOf([sample]))
  const [scenario] = scenarios
  assert.deepEqual(scenario?.inputs, [
    { name: 'input', ...text('What is it?') },
    { name: 'choices', type: 'json', value: ['a fox', 'a cat'] },
    { name: 'metadata', type: 'json', value: { topic: 'animals' } },
  ])
  assert.deepEqual(
    scenario?.correct_answers?.map(({ key, value }) => [key, value]),
    [
      ['target', 'a fox'],
      ['target', 'fox'],
    ],
  )
  assert.deepEqual([scenario?.outputs[0]?.cost, scenario?.outputs[0]?.latency], [0.75, 1.5])
  assert.equal(scenario?.note, 'wrong target')
  assert.deepEqual(scenario?.extra, {
    sample: 'q1',
    repetition: 1,
    output: { model: 'm', time: 3 },
    store: { n: 1 },
    error_retries: [{ message: 'once', traceback: 't' }],
    model_usage: sample.model_usage,
    working_time: 1,
    invalidation: sample.invalidation,
    unheard_of: '9007199254740993',
    messages: sample.messages,
  })
})

test('stores the completion of an application that failed', async () => {
  const { scenarios } = await importLog(documentOf([{ ...SAMPLE, error: { message: 'late' } }]))
  assert.deepEqual(scenarios[0]?.extra?.output, { completion: 'a fox' })
})

test('stores members of an unexpected type without rejecting the sample', async () => {
  const wrong = {
    metadata: [1],
    target: 7,
    output: 'text',
    error: 'broke',
    limit: 3,
    scores: 'none',
    epoch: 'first',
  }
  const more = {
    messages: 'none',
    model_usage: 4,
    total_time: 'long',
    choices: 5,
    error_retries: 6,
    attachments: 7,
  }
  const { scenarios, report } = await importLog(
    documentOf([{ id: 5, ...wrong, ...more, score: 2, input: null }]),
  )
  assert.deepEqual([report.refused, scenarios[0]?.id], [0, '5'])
  assert.deepEqual(scenarios[0]?.outputs[0]?.result, errorResult('broke'))
  const { metadata, target: _, error: __, ...unmapped } = wrong
  const { choices: ___, attachments: ____, ...others } = more
  assert.deepEqual(scenarios[0]?.extra, { ...unmapped, metadata, ...others, score: 2 })
  const single = await importLog(documentOf([{ ...SAMPLE, scores: { a: 1, b: { value: 2 } } }]))
  assert.deepEqual(single.scenarios[0]?.extra?.scores, { a: 1 })
})

test('rejects a sample without an id and can skip it', async () => {
  for (const id of [undefined, null, '', [1], true]) {
    const file = documentOf([
      { ...SAMPLE, id: 'good' },
      { ...SAMPLE, id },
    ])
    assert.deepEqual(
      (await importRejectedLog(file)).map(({ record, pointer }) => [record, pointer]),
      [[2, '/id']],
    )
    const { scenarios } = await importLog(file, '--skip-invalid')
    assert.deepEqual(
      scenarios.map((scenario) => scenario.id),
      ['good'],
    )
  }
})

for (const samples of [[1], ['x'], [null], [[]]] as unknown[][]) {
  test(`rejects the sample ${JSON.stringify(samples[0])}`, async () => {
    const [refusal] = await importRejectedLog(documentOf(samples as Sample[]))
    assert.deepEqual([refusal?.record, refusal?.detail], [1, 'This must be an object.'])
  })
}

for (const samples of [undefined, null, [], 'none', {}]) {
  test(`rejects a log without samples if samples is ${JSON.stringify(samples)}`, async () => {
    const [refusal] = await importRejectedLog(documentOf(samples as Sample[]))
    assert.equal(refusal?.record, null)
    assert.match(refusal?.detail ?? '', /^The file has no results: .* Its status is /)
  })
}

test('imports the evaluation, the variant and the revision of a run', async () => {
  const about = {
    ...EVAL,
    solver: 'agent',
    solver_args: { tries: 2 },
    task_args: { level: 'hard' },
    model_generate_config: { temperature: 1.0 },
    model_args: { api_key: 'sk-123456789' },
    dataset: { name: 'quiz', sample_ids: ['q1'] },
    tags: ['old'],
    revision: { type: 'git', commit: 'abc' },
    packages: { inspect_ai: '0.3.1' },
  }
  const head = {
    status: 'error',
    eval: about,
    plan: { steps: [{ solver: 'generate' }] },
    error: { message: 'broke', traceback: 't', traceback_ansi: 'c' },
    tags: ['new'],
    reductions: [{ scorer: 'x' }],
  }
  const { evaluation, variant, revision, report } = await importLog(documentOf([SAMPLE], head))
  assert.deepEqual(
    [evaluation.id, evaluation.name, evaluation.created_at, evaluation.source, variant?.id],
    ['run-1', 'quiz', '2026-03-01T10:00:00.000Z', 'Inspect AI 0.3.1', 'quiz:agent'],
  )
  assert.deepEqual(evaluation.metadata, {
    status: 'error',
    dataset: { name: 'quiz' },
    tags: ['new'],
    version: 2,
    error: { message: 'broke', traceback: 't' },
  })
  assert.deepEqual(revision?.config, {
    config_name: 'mock/model',
    parameters: {
      model: 'mock/model',
      model_generate_config: { temperature: 1 },
      model_args: { api_key: '***' },
      task_args: { level: 'hard' },
      solver: 'agent',
      solver_args: { tries: 2 },
      revision: { type: 'git', commit: 'abc' },
      packages: { inspect_ai: '0.3.1' },
      plan: { steps: [{ solver: 'generate' }] },
    },
  })
  assert.deepEqual(
    report.repairs.map(({ detail }) => detail),
    ['A secret was masked.'],
  )
})

test('adds a revision for another model or prompt, but not for the same configuration', async () => {
  const store = await createImportStore()
  const run = (id: string, model: string) => documentOf([SAMPLE], { eval: { ...EVAL, eval_id: id, model } })
  for (const [id, model] of [
    ['a', 'one'],
    ['b', 'two'],
    ['c', 'one'],
  ] as const)
    await importInto(store, run(id, model))
  const revisions = await Promise.all(['a', 'b', 'c'].map((id) => storedEvaluation(store, id)))
  assert.deepEqual(
    revisions.map(({ evaluation }) => [evaluation.variant_id, evaluation.revision]),
    [
      ['quiz', 1],
      ['quiz', 2],
      ['quiz', 1],
    ],
  )
})

test('derives the id of a log without ids from its content', async () => {
  const { eval_id, ...about } = EVAL
  const file = documentOf([SAMPLE], { eval: about })
  assert.match((await importLog(file)).evaluation.id, /^[0-9a-f]{16}$/)
  const olderLog = documentOf([SAMPLE], { eval: { ...about, run_id: 'r', task_id: 't' } })
  assert.equal((await importLog(olderLog)).evaluation.id, 'r-t')
})

const SHUFFLED = [
  { ...SAMPLE, id: 10, epoch: 2 },
  { ...SAMPLE, id: 2, epoch: 1 },
  { ...SAMPLE, id: 10, epoch: 1 },
  { ...SAMPLE, id: 2, epoch: 2 },
  { ...SAMPLE, id: 'late', epoch: 1 },
]
const LAYOUTS: [what: string, file: (samples: Sample[], head: object) => string][] = [
  ['a document', documentOf],
  ['an archive', (samples, head) => archiveOf(entriesOf(samples, head))],
]
for (const [what, file] of LAYOUTS) {
  test(`stores sample and epoch of ${what} as sample and repetition`, async () => {
    const samples = Array.from({ length: 300 }, (_, index) => ({
      ...SAMPLE,
      id: (index % 30) + 1,
      epoch: Math.floor(index / 30) + 1,
    }))
    const { scenarios } = await importLog(file(samples, {}))
    assert.deepEqual(
      scenarios.map(({ id, extra }) => [id, extra?.sample, extra?.repetition]),
      Array.from({ length: 300 }, (_, index) => {
        const [sample, epoch] = [String(Math.floor(index / 10) + 1), (index % 10) + 1]
        return [epoch === 1 ? sample : `${sample}_epoch_${epoch}`, sample, epoch]
      }),
    )
  })

  test(`sorts the samples of ${what} by test set and epoch`, async () => {
    const listedIds = { eval: { ...EVAL, dataset: { sample_ids: [10, 2] } } }
    const { scenarios } = await importLog(file(SHUFFLED, listedIds))
    assert.deepEqual(
      scenarios.map(({ id }) => id),
      ['10', '10_epoch_2', '2', '2_epoch_2', 'late'],
    )
    assert.deepEqual(
      scenarios.map(({ extra }) => extra?.repetition),
      [1, 2, 1, 2, 1],
    )
  })

  test(`sorts the samples of ${what} in natural order if it does not list the test set`, async () => {
    const { scenarios } = await importLog(file(SHUFFLED, {}))
    assert.deepEqual(
      scenarios.map(({ id }) => id),
      ['2', '2_epoch_2', '10', '10_epoch_2', 'late'],
    )
  })
}

for (const layouts of [
  ['log_formats.eval', 'log_formats.json'],
  ['layout-entries.eval', 'layout-folders.eval', 'layout-document.json'],
]) {
  test(`imports identical scenarios from all layouts: ${layouts.join(', ')}`, async () => {
    const lines: string[] = []
    for (const name of layouts) {
      const store = await createImportStore()
      const report = await importInto(store, fixture(name))
      lines.push(await scenarioLines(store, report.evaluations[0]?.id ?? ''))
    }
    assert.ok(lines[0]?.includes('"results"'))
    for (const line of lines) {
      assert.equal(line, lines[0])
      assert.doesNotMatch(line, /attachment:\/\/|tc:\/\//)
    }
  })
}

test('changes nothing when the same log is imported again in another layout', async () => {
  const store = await createImportStore()
  await importInto(store, fixture('layout-entries.eval'))
  for (const name of ['layout-document.json', 'layout-folders.eval']) {
    const [evaluation] = (await importInto(store, fixture(name))).evaluations
    assert.deepEqual([evaluation?.accepted, evaluation?.unchanged], [0, 2])
  }
})

test('imports the written samples of a run that crashed', async () => {
  const { evaluation, scenarios } = await importLog(fixture('crashed.eval'))
  assert.equal((evaluation.metadata as { status: string }).status, 'started')
  assert.deepEqual(
    scenarios.map(({ id }) => id),
    ['venus', 'mars', 'pluto'],
  )
})

const HASH = 'dfedc191e05d9d04e0c236656454a610'
test('inserts attachments where a whole string refers to them, and nowhere else', async () => {
  const sample = {
    ...SAMPLE,
    input: `attachment://${HASH}`,
    metadata: {
      old: `tc://${HASH}`,
      said: `see attachment://${HASH}`,
      [`tc://${HASH}`]: 'a name',
      list: [`tc://${HASH}`],
    },
    output: { completion: `attachment://${HASH}` },
    store: { quoted: `"attachment://${HASH}`, quote: `attachment://${HASH}"` },
    attachments: { [HASH]: 'long "text"\n' },
  }
  const { scenarios, report } = await importLog(documentOf([sample]))
  const long = 'long "text"\n'
  assert.deepEqual(
    scenarios[0]?.inputs.map(({ value }) => value),
    [long, { old: long, said: `see attachment://${HASH}`, [`tc://${HASH}`]: 'a name', list: [long] }],
  )
  assert.deepEqual(scenarios[0]?.outputs[0]?.result, text(long))
  assert.deepEqual(scenarios[0]?.extra?.store, sample.store)
  assert.deepEqual([scenarios[0]?.extra?.attachments, report.repaired], [undefined, 0])
  const { attachments, ...old } = sample
  const olderLog = await importLog(
    documentOf([{ ...old, transcript: { events: [1], content: attachments } }]),
  )
  assert.deepEqual(olderLog.scenarios[0]?.inputs, scenarios[0]?.inputs)
  assert.equal(olderLog.scenarios[0]?.extra?.transcript, undefined)
})

test('reports a missing attachment', async () => {
  const { scenarios, report } = await importLog(documentOf([{ ...SAMPLE, input: `attachment://${HASH}` }]))
  assert.equal(scenarios[0]?.inputs[0]?.value, `attachment://${HASH}`)
  assert.deepEqual(
    report.repairs.map(({ detail }) => detail),
    ['The file lacks attachments. 1 texts contain only a reference.'],
  )
})

const LONG = 'x'.repeat(30_000)
const LIMIT = ['--max-record-bytes', '20000']
const LARGE: [what: string, sample: Sample, hasMessages: boolean, note: RegExp | undefined][] = [
  ['events do not count toward the size', { messages: ['hi'], events: [LONG] }, true, undefined],
  [
    'attachments that only events use do not count',
    { messages: ['hi'], attachments: { [HASH]: LONG } },
    true,
    undefined,
  ],
  ['messages that are too large are omitted', { messages: [LONG] }, false, /Its messages were omitted/],
  [
    'messages with attachments that are too large are omitted',
    { messages: [`attachment://${HASH}`], attachments: { [HASH]: LONG } },
    false,
    /Its messages were omitted/,
  ],
  [
    'an attachment that is used many times is limited',
    { messages: Array(9).fill(`attachment://${HASH}`), attachments: { [HASH]: LONG.slice(0, 5000) } },
    false,
    /Its messages were omitted/,
  ],
  [
    'without attachments, texts stay references',
    { description: `attachment://${HASH}`, attachments: { [HASH]: LONG } },
    false,
    /Its attachments were omitted\. 1 texts/,
  ],
]
for (const [what, sample, hasMessages, note] of LARGE) {
  for (const [layout, fileOf] of LAYOUTS) {
    test(`imports a large sample in ${layout}: ${what}`, async () => {
      const ids = ['before', 'large', 'after']
      const samples: Sample[] = ids.map((id) => ({ ...SAMPLE, id, messages: ['hi'] }))
      Object.assign(samples[1] as Sample, sample)
      const file = fileOf(samples, { eval: { ...EVAL, dataset: { sample_ids: ids } } })
      const { scenarios, report } = await importLog(file, ...LIMIT)
      assert.deepEqual(
        scenarios.map(({ id, extra }) => [id, extra?.messages]),
        ids.map((id) => [id, id !== 'large' || hasMessages ? ['hi'] : undefined]),
      )
      const details = report.repairs.map(({ record, detail }) => `${record} ${detail}`)
      if (note) assert.match(details.join(), note)
      else assert.deepEqual(details, [])
      assert.deepEqual(
        details.filter((detail) => !detail.startsWith('2 ')),
        [],
        'only the large sample is reported',
      )
    })
  }
}

test('rejects a sample that is too large without messages and reports the limit', async () => {
  const [refusal] = await importRejectedLog(documentOf([{ ...SAMPLE, input: LONG }]), ...LIMIT)
  assert.match(refusal?.detail ?? '', /larger than 20000 bytes/)
})

test('rejects a score that would repeat a long text for each key', async () => {
  const value = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, 1]))
  const [refusal] = await importRejectedLog(
    documentOf([{ ...SAMPLE, ...judgeScores({ value, explanation: LONG.slice(0, 5000) }) }]),
    ...LIMIT,
  )
  assert.match(refusal?.detail ?? '', /a long explanation is repeated/)
})

test('omits attachments with too many members', async () => {
  const attachments = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`a${index}`, 'x']))
  const { scenarios, report } = await importLog(documentOf([{ ...SAMPLE, attachments }]))
  assert.deepEqual([scenarios.length, report.repaired], [1, 0])
})

test('imports samples of tens of megabytes in little memory', {
  skip: fullOnly('writes and reads 120 MB'),
}, async () => {
  const event = JSON.stringify({ event: 'model', input: 'y'.repeat(1000) })
  const events = `[${Array(60_000).fill(event).join(',')}]`
  const { id, ...rest } = SAMPLE
  const data = (id: string) => `{"id":"${id}",${JSON.stringify(rest).slice(1, -1)},"events":${events}}`
  const samples = ['a', 'b'].map((id) => ({ name: `samples/${id}_epoch_1.json`, data: data(id), method: 0 }))
  const header = { name: 'header.json', data: JSON.stringify({ status: 'success', eval: EVAL }) }
  const file = archiveOf([...samples, header])
  samples.length = 0
  const before = process.memoryUsage().rss
  const { scenarios } = await importLog(file)
  assert.equal(scenarios.length, 2)
  if (testOptions.measures)
    assert.ok(process.memoryUsage().rss - before < 150e6, 'dropped members use no memory')
})

test('uses the last version of a sample that ran again', async () => {
  const changedSample = { ...SAMPLE, output: { completion: 'a dog' } }
  const { scenarios } = await importLog(archiveOf([...entriesOf([SAMPLE]), ...entriesOf([changedSample])]))
  assert.deepEqual(
    scenarios.map(({ outputs }) => outputs[0]?.result),
    [text('a dog')],
  )
})

test('imports and reports the summary of a sample without an entry', async () => {
  const summary = (id: string, more: object) => ({ ...SAMPLE, output: undefined, id, ...more })
  const entries = [
    ...entriesOf([SAMPLE]).slice(0, 1),
    { name: '_journal/start.json', data: textOf({ version: 2, eval: EVAL }) },
    {
      name: '_journal/summaries/2.json',
      data: textOf([summary('q2', { error: 'broke' }), summary('q3', { limit: 'time' })]),
    },
    {
      name: '_journal/summaries/1.json',
      data: textOf([
        summary('q1', {}),
        summary('q2', { scores: judgeScores({ value: 'C' }) }),
        summary('q4', { completed: false }),
      ]),
    },
  ]
  const { scenarios, report } = await importLog(archiveOf(entries))
  assert.deepEqual(
    scenarios.map(({ id, outputs }) => [id, outputs[0]?.result]),
    [
      ['q1', text('a fox')],
      ['q2', errorResult('broke')],
      ['q3', errorResult('Stopped at the time limit.')],
    ],
  )
  assert.deepEqual(
    report.repairs.map(({ detail }) => detail),
    [
      '_journal/summaries/2.json: The archive has only a summary of samples/q2_epoch_1, with long texts truncated.',
      '_journal/summaries/2.json: The archive has only a summary of samples/q3_epoch_1, with long texts truncated.',
    ],
  )
})

test('rejects a damaged entry by name and can skip it', async () => {
  const [first, second, header] = entriesOf([SAMPLE, { ...SAMPLE, id: 'q2' }]) as [Entry, Entry, Entry]
  for (const [damaged, why] of [
    [{ ...first, crc: 7 }, /checksum is wrong/],
    [{ ...first, data: '{"id":' }, /may be truncated/],
    [{ ...first, data: '[]' }, /This must be an object/],
    [{ ...first, data: '{"id":"q1","id":"q1"}' }, /two members with this name/],
    [{ ...first, method: 99, packed: Buffer.alloc(4) }, /unsupported compression method 99/],
  ] as const) {
    const file = archiveOf([damaged, second, header])
    const [refusal] = await importRejectedLog(file)
    assert.match(refusal?.detail ?? '', /^samples\/q1_epoch_1\.json: /)
    assert.match(refusal?.detail ?? '', why)
    const { scenarios } = await importLog(file, '--skip-invalid')
    assert.deepEqual(
      scenarios.map(({ id }) => id),
      ['q2'],
    )
  }
})

const FOLDER = 'samples/q1_epoch_1'
test('combines messages and attachments of a sample folder by number', async () => {
  const shell = {
    ...SAMPLE,
    input: 'attachment://1',
    message_refs: [
      [2, 4],
      [0, 1],
    ],
  }
  const entries = [
    { name: `${FOLDER}/sample.json`, data: textOf(shell) },
    { name: `${FOLDER}/metadata.json`, data: '{"level":1.0}' },
    { name: `${FOLDER}/messages/0.json`, data: '["m0","m1"]' },
    { name: `${FOLDER}/messages/2.json`, data: '["attachment://2","m3"]' },
    { name: `${FOLDER}/attachments/0.json`, data: '["a0","a1"]' },
    { name: `${FOLDER}/attachments/2.json`, data: '["a2"]' },
    { name: `${FOLDER}/events/0.json`, data: 'of no interest' },
    { name: 'header.json', data: textOf({ eval: EVAL }) },
  ]
  const { scenarios, report } = await importLog(archiveOf(entries))
  assert.equal(report.repaired, 0)
  assert.deepEqual(
    scenarios[0]?.inputs.map(({ value }) => value),
    ['a1', { level: 1 }],
  )
  assert.deepEqual(scenarios[0]?.extra, { sample: 'q1', repetition: 1, messages: ['a2', 'm3', 'm0'] })
})

test('omits the messages of a sample folder that is too large', async () => {
  for (const [refs, messages] of [
    ['[[0,1]]', JSON.stringify([LONG])],
    ['[[0,1e15]]', '["m"]'],
    [`[${Array(99).fill('[0,1]').join()}]`, JSON.stringify(['m'.repeat(900)])],
  ]) {
    const entries = [
      { name: `${FOLDER}/sample.json`, data: `{"id":"q1","epoch":1,"message_refs":${refs}}` },
      { name: `${FOLDER}/messages/0.json`, data: messages ?? '' },
      { name: 'header.json', data: textOf({ eval: EVAL }) },
    ]
    const { scenarios, report } = await importLog(archiveOf(entries), ...LIMIT)
    assert.equal(scenarios[0]?.extra?.messages, undefined)
    assert.match(report.repairs[0]?.detail ?? '', /Its messages were omitted/)
  }
})

const UNREADABLE: [what: string, file: () => string, why: RegExp][] = [
  [
    'an archive without a header',
    () => archiveOf([{ name: 'samples/1_epoch_1.json', data: '{}' }]),
    /neither header.json nor/,
  ],
  ['a header without content', () => archiveOf([{ name: 'header.json', data: '[]' }]), /has no eval object/],
  [
    'a header that is not JSON',
    () => archiveOf([{ name: 'header.json', data: '{"eval"' }]),
    /^header.json: /,
  ],
  ['a damaged header', () => archiveOf([{ name: 'header.json', data: '{}', crc: 1 }]), /checksum is wrong/],
  [
    'a name with path traversal',
    () => archiveOf([{ name: '../header.json', data: '{}' }]),
    /is a path outside of the archive/,
  ],
  [
    'a file that is only named .eval',
    () => damaged('log.eval', Buffer.from('PK\x03\x04 and no more')),
    /its end record is missing/,
  ],
  ['a truncated document', () => truncatedLog(), /truncated/],
]
for (const [what, file, why] of UNREADABLE) {
  test(`rejects the whole file: ${what}`, async () => {
    const [refusal] = await importRejectedLog(file(), '--skip-invalid')
    assert.equal(refusal?.record, null)
    assert.match(refusal?.detail ?? '', why)
  })
}

function damaged(name: string, bytes: Buffer): string {
  const file = join(createTempFolder(), name)
  writeFileSync(file, bytes)
  return file
}

function truncatedLog(): string {
  return damaged('log.json', readFileSync(fixture('log_formats.json')).subarray(0, 5000))
}

test('detects logs by content and ignores other archives and documents', async () => {
  assert.deepEqual(await detectingImporters(archiveOf([{ name: 'header.json', data: '{}' }], 'log.zip')), [
    'inspect',
  ])
  assert.deepEqual(await detectingImporters(archiveOf([], 'empty.eval')), ['inspect'])
  assert.deepEqual(
    await detectingImporters(archiveOf([{ name: 'word/document.xml', data: '<a/>' }], 'letter.docx')),
    [],
  )
  assert.deepEqual(
    await detectingImporters(damaged('a.json', Buffer.from('{"eval":{"score":1},"status":"success"}'))),
    [],
  )
})
