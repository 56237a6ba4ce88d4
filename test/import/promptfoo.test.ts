// Tests the promptfoo importer: the five result states, file versions, and edited configurations.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { createTempFolder } from '../support/harness.ts'
import {
  createImportStore,
  importInto,
  type Stored,
  scenarioLines,
  storedEvaluation,
} from '../support/import-file.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures/import/promptfoo', import.meta.url))
const fixture = (name: string) => join(FIXTURES, name)

type Row = Record<string, unknown>

/** A document of version 3 with one column, changed by `more`. */
function document(rows: Row[], more: object = {}): string {
  const prompts = [{ raw: 'Say {{x}}', label: 'say', provider: 'echo' }]
  return JSON.stringify({
    evalId: 'eval-1',
    results: { version: 3, timestamp: '2026-02-03T04:05:06.789Z', prompts, results: rows },
    config: { description: 'd', providers: ['echo'] },
    ...more,
  })
}

const row = (changes: Row): Row => ({
  id: `row-${changes.testIdx ?? 0}`,
  testIdx: 0,
  promptIdx: 0,
  vars: { x: 'a' },
  response: { output: 'out' },
  success: true,
  score: 1,
  failureReason: 0,
  ...changes,
})

async function importContent(content: string, name = 'out.json', ...flags: string[]): Promise<Stored[]> {
  const store = await createImportStore()
  const file = join(createTempFolder(), name)
  writeFileSync(file, content)
  const report = await importInto(store, file, ...flags)
  assert.deepEqual(report.refusals, [])
  return Promise.all(report.evaluations.map(({ id }) => storedEvaluation(store, id)))
}

async function oneScenario(changes: Row): Promise<Stored['scenarios'][number]> {
  const [evaluation] = await importContent(document([row(changes)]))
  assert.equal(evaluation?.scenarios.length, 1)
  return evaluation.scenarios[0] as Stored['scenarios'][number]
}

describe('the five result states', () => {
  const component = (changes: Row) => ({
    gradingResult: {
      pass: false,
      score: 0,
      componentResults: [{ assertion: { type: 'equals' }, ...changes }],
    },
  })
  const error = (message: string) => ({ type: 'error', value: null, error: { message } })

  for (const [what, changes, output, result, verdict] of [
    [
      'the application failed',
      { failureReason: 2, error: 'boom', response: { error: 'boom' }, success: false },
      error('boom'),
      undefined,
      { type: 'bool', value: null },
    ],
    [
      'the application failed, reported only in the row',
      { failureReason: 2, error: 'boom', response: null, success: false },
      error('boom'),
      undefined,
      { type: 'bool', value: null },
    ],
    [
      'the application failed in a file that does not say why rows fail',
      { failureReason: undefined, error: 'boom', response: {}, success: false },
      error('boom'),
      undefined,
      { type: 'bool', value: null },
    ],
    [
      'a check failed, with its reason in the error field',
      { failureReason: 1, error: 'not equal', success: false, ...component({ pass: false, score: 0 }) },
      { type: 'text', value: 'out' },
      { type: 'bool', value: false },
      { type: 'bool', value: false },
    ],
    [
      'a check failed in a file that does not say why rows fail',
      {
        failureReason: undefined,
        error: 'not equal',
        success: false,
        ...component({ pass: false, score: 0 }),
      },
      { type: 'text', value: 'out' },
      { type: 'bool', value: false },
      { type: 'bool', value: false },
    ],
    [
      'the evaluator failed',
      {
        success: false,
        ...component({ pass: false, score: 0, reason: 'no judge', metadata: { graderError: true } }),
      },
      { type: 'text', value: 'out' },
      error('no judge'),
      { type: 'bool', value: false },
    ],
    [
      'the evaluator is code that threw',
      { success: false, ...component({ pass: false, score: 0, reason: 'Custom function threw error: x' }) },
      { type: 'text', value: 'out' },
      error('Custom function threw error: x'),
      { type: 'bool', value: false },
    ],
    [
      'nothing was scored',
      {
        success: undefined,
        ...component({ pass: null }),
        gradingResult: { componentResults: [{ pass: null }] },
      },
      { type: 'text', value: 'out' },
      { type: 'bool', value: null },
      { type: 'bool', value: null },
    ],
  ] as const) {
    test(what, async () => {
      const { outputs, results } = await oneScenario(changes)
      assert.deepEqual(outputs[0]?.result, output)
      assert.deepEqual(results.at(-1), { evaluator_config: 'pass', result: verdict })
      assert.deepEqual(results.length > 1 ? results[0]?.result : undefined, result)
    })
  }

  test('imports a score of 0 as 0, and null or NaN as not scored', async () => {
    const text = document([row({ namedScores: { zero: 0, none: null, nan: 'NaN!' } })]).replace(
      '"NaN!"',
      'NaN',
    )
    const [evaluation] = await importContent(text)
    const scores = evaluation?.scenarios[0]?.results.slice(0, 3).map(({ result }) => result)
    assert.deepEqual(scores, [
      { type: 'number', value: 0 },
      { type: 'number', value: null },
      { type: 'number', value: null },
    ])
  })
})

test('imports an edited prompt and another provider as two revisions of one variant', async () => {
  const store = await createImportStore()
  const reports = []
  for (const name of ['echo-run.json', 'echo-run-edited.json'])
    reports.push(await importInto(store, fixture(name)))
  assert.deepEqual(
    reports.map(({ variants }) => variants),
    [[{ id: 'Greetings', accepted: 1, unchanged: 0 }], [{ id: 'Greetings', accepted: 1, unchanged: 0 }]],
  )
  const [first, second] = await Promise.all(
    reports.map(({ evaluations }) => storedEvaluation(store, evaluations[0]?.id ?? '')),
  )
  assert.deepEqual([first?.evaluation.revision, second?.evaluation.revision], [1, 2])
  assert.deepEqual(first?.revision?.config.parameters, { prompt: 'Say hello to {{name}}', provider: 'echo' })
  assert.deepEqual(second?.revision?.config.parameters, {
    prompt: 'Greet, kindly, {{name}}',
    provider: 'upper',
    config: { apiKey: '***', temperature: 0.25 },
  })
})

test('sorts rows by test, regardless of the order of the file', async () => {
  const rows = [2, 0, 3, 1].map((testIdx) => row({ testIdx, vars: { x: testIdx } }))
  const [evaluation] = await importContent(document(rows))
  assert.deepEqual(
    evaluation?.scenarios.map(({ id }) => id),
    ['row-0', 'row-1', 'row-2', 'row-3'],
  )
})

test('imports each column as an evaluation with its own variant, also in later runs', async () => {
  const prompts = ['a', 'b'].map((provider) => ({ raw: 'p', label: 'p', provider }))
  const rows = [
    row({ promptIdx: 1, id: 'x' }),
    row({ promptIdx: 0, id: 'y' }),
    row({ promptIdx: 1, testIdx: 1 }),
  ]
  const text = document(rows, { results: { version: 3, prompts, results: rows } })
  const evaluations = await importContent(text, 'nightly.json', '--variant', 'mine')
  assert.deepEqual(
    evaluations.map(({ evaluation: { id, variant_id, revision }, scenarios }) => [
      id,
      variant_id,
      revision,
      scenarios.length,
    ]),
    [
      ['eval-1:0', 'mine:0', 1, 1],
      ['eval-1:1', 'mine:1', 1, 2],
    ],
  )
})

describe('the members of a family', () => {
  type Prompt = { raw: string; label: string; provider: string }

  async function membersOf(prompts: Prompt[], config: object = {}) {
    const results = prompts.map((_, promptIdx) => row({ promptIdx }))
    const text = document([], {
      results: { version: 3, prompts, results },
      config: { description: 'd', ...config },
    })
    const evaluations = await importContent(text, 'out.json', '--evaluation', 'main')
    return evaluations.map(({ evaluation: { id, family, label, provider } }) => [id, family, label, provider])
  }

  test('have the family, the label of the prompt and the label or id of the provider', async () => {
    const prompt = (label: string, provider: string) => ({ raw: `Text of ${label}`, label, provider })
    assert.deepEqual(await membersOf([prompt('a', 'echo')]), [['main', 'main', 'a', 'echo']])
    assert.deepEqual(await membersOf([prompt('a', 'echo'), prompt('b', 'echo')]), [
      ['main:0', 'main', 'a', 'echo'],
      ['main:1', 'main', 'b', 'echo'],
    ])
    const providers = [{ id: 'openai:gpt-5', label: 'large' }, 'openai:gpt-5-mini']
    const columns = [prompt('a', 'large'), prompt('a', 'openai:gpt-5-mini')]
    assert.deepEqual(await membersOf(columns, { providers }), [
      ['main:0', 'main', 'a', 'large'],
      ['main:1', 'main', 'a', 'openai:gpt-5-mini'],
    ])
  })

  test('are found when a file is imported without an id, and again with another prompt', async () => {
    const store = await createImportStore()
    for (const columns of [['a'], ['b', 'a']]) {
      const header = columns.map((label) => `[echo] ${label},Status,Score,Named Scores,Grader Reason,Comment`)
      const file = join(createTempFolder(), 'nightly.csv')
      writeFileSync(file, `x,${header}\n1,${columns.map((label) => `${label},PASS,1.00,,,`)}\n`)
      const { evaluations } = await importInto(store, file)
      const ids = evaluations.map(({ id }) => id)
      const stored = await Promise.all(ids.map((id) => storedEvaluation(store, id)))
      assert.deepEqual(
        stored.map(({ evaluation: { family, label, provider } }) => [family, label, provider]),
        columns.map((label) => [ids[0]?.replace(/:0$/, ''), label, 'echo']),
      )
    }
  })

  test('are updated when another file replaces them', async () => {
    const store = await createImportStore()
    const file = join(createTempFolder(), 'out.json')
    for (const label of ['a', 'b']) {
      const prompts = [{ raw: 'p', label, provider: 'echo' }]
      writeFileSync(file, document([], { results: { version: 3, prompts, results: [row({})] } }))
      await importInto(store, file, '--on-conflict', 'replace')
      assert.equal((await storedEvaluation(store, 'eval-1')).evaluation.label, label)
    }
  })

  test('have short labels without control characters, and providers without secrets', async () => {
    const raw = `You are\na helpful assistant. ${'Be kind. '.repeat(100)}`
    const provider = 'https://models.example/v1?api_key=sk-0123456789abcdef'
    const [[, , label, storedProvider] = []] = await membersOf([{ raw, label: raw, provider }])
    assert.match(String(label), /^You are a helpful assistant\. Be kind\. .{1,170}-[0-9a-f]{8}$/)
    assert.equal(storedProvider, 'https://models.example/v1?api_key=***')
  })

  /** As promptfoo 0.123.1 writes them. */
  const CHAT =
    '[{"role":"system","content":"You greet."},{"role":"user","content":"Hello {{name}}, this is a long text"}]'
  const LONG = 'Hello {{name}}, this is a text with more than fifty characters in it'
  const short = (path: string) => `${path}: Say hello to {{name}}.`
  const SHORT = 'Say hello to {{name}}.'
  for (const [what, configured, written, expected] of [
    [
      'a text file',
      [{ id: 'file://short.txt', label: 'short' }],
      [[SHORT, `short: ${short('short.txt')}`]],
      ['short'],
    ],
    ['a map of files', { 'short.txt': 'short' }, [[SHORT, `short: ${short('/app/short.txt')}`]], ['short']],
    ['a text file without a label', ['file:///app/short.txt'], [[SHORT, short('short.txt')]], ['short.txt']],
    [
      'a file with another label in its name',
      [
        { id: 'file://b.txt', label: 'a: b' },
        { id: 'file://a.txt', label: 'a' },
      ],
      [
        [SHORT, `a: b: ${short('b.txt')}`],
        [SHORT, `a: ${short('a.txt')}`],
      ],
      ['a: b', 'a'],
    ],
    [
      'files of a pattern',
      ['file://many/*'],
      [
        [LONG, `many/b.md: ${LONG.slice(0, 50)}...`],
        [SHORT, short('many/a.txt')],
      ],
      ['many/b.md', 'many/a.txt'],
    ],
    [
      'a text file with several prompts',
      [{ id: 'file://two.txt', label: 'two' }],
      [
        ['First', 'two: two.txt: First'],
        ['Second', 'two: two.txt: Second'],
      ],
      ['two: two.txt: First', 'two: two.txt: Second'],
    ],
    [
      'files with the same label',
      [
        { id: 'file://a.txt', label: 'x' },
        { id: 'file://b.txt', label: 'x' },
      ],
      [
        [SHORT, `x: ${short('a.txt')}`],
        [SHORT, `x: ${short('b.txt')}`],
      ],
      ['x: a.txt', 'x: b.txt'],
    ],
    [
      'a file twice, with and without a label',
      [{ id: 'file://a.txt', label: 'x' }, 'file://a.txt'],
      [
        [SHORT, `x: ${short('a.txt')}`],
        [SHORT, short('a.txt')],
      ],
      ['x', 'a.txt'],
    ],
    [
      'JSON and YAML files',
      [{ id: 'file://chat.json', label: 'chat' }, 'file://chat.json', 'file://chat.yaml'],
      [
        [CHAT, 'chat'],
        [CHAT, `chat.json: ${CHAT}`],
        [CHAT, `chat.yaml: ${CHAT.slice(0, 80)}`],
      ],
      ['chat', 'chat.json', 'chat.yaml'],
    ],
    [
      'lines of JSON',
      [{ id: 'file://lines.jsonl', label: 'lines' }],
      [
        ['["one"]', 'lines: ["one"]'],
        ['["two"]', 'lines: ["two"]'],
      ],
      ['lines: ["one"]', 'lines: ["two"]'],
    ],
    [
      'functions',
      [{ id: 'file://p.py:greet', label: 'py' }, 'file://p.py:greet', 'file://p.mjs'],
      [
        ['def greet(context):', 'py'],
        ['def greet(context):', 'p.py:greet'],
        ['() => 1', 'p.mjs'],
      ],
      ['py', 'p.py:greet', 'p.mjs'],
    ],
    [
      'inline prompts',
      [SHORT, { raw: 'Hi {{name}}', label: 'hi' }, { raw: 'kind', label: 'be: kind' }],
      [
        [SHORT, SHORT],
        ['Hi {{name}}', 'hi'],
        ['kind', 'be: kind'],
      ],
      [SHORT, 'hi', 'be: kind'],
    ],
    [
      'a file without its configuration',
      undefined,
      [[SHORT, `short: ${short('short.txt')}`]],
      ['short: short.txt'],
    ],
  ] as [what: string, configured: unknown, written: [raw: string, label: string][], expected: string[]][])
    test(`have labels that do not change with the text of ${what}`, async () => {
      const prompts = written.map(([raw, label]) => ({ raw, label, provider: 'echo' }))
      const members = await membersOf(prompts, { prompts: configured })
      assert.deepEqual(
        members.map(([, , label]) => label),
        expected,
      )
    })
})

test('names the evaluations of columns after what differs between them', async () => {
  const namesOf = async (...columns: [label: string, provider: string][]) => {
    const prompts = columns.map(([label, provider]) => ({ raw: 'p', label, provider }))
    const results = columns.map((_, promptIdx) => row({ promptIdx }))
    const text = document([], { results: { version: 3, prompts, results } })
    return (await importContent(text)).map(({ evaluation }) => evaluation.name)
  }
  assert.deepEqual(await namesOf(['say', 'x']), ['d'])
  assert.deepEqual(await namesOf(['say', 'x'], ['say', 'y']), ['d: x', 'd: y'])
  assert.deepEqual(await namesOf(['say', 'x'], ['tell', 'x']), ['d: say', 'd: tell'])
  assert.deepEqual(await namesOf(['say', 'x'], ['tell', 'y']), ['d: [x] say', 'd: [y] tell'])
  const long = `You are\na  helpful assistant ${'😀'.repeat(40)}`
  const short = `You are a helpful assistant ${'😀'.repeat(11)}…`
  assert.deepEqual(await namesOf([`${long} 1`, 'x'], [`${long} 2`, 'x'], ['say', 'x']), [
    `d: ${short}`,
    `d: ${short} #2`,
    'd: say',
  ])
})

test('imports repetitions as numbered scenarios', async () => {
  const store = await createImportStore()
  const { evaluations } = await importInto(store, fixture('echo-run-repeated.jsonl'))
  const { scenarios } = await storedEvaluation(store, evaluations[0]?.id ?? '')
  assert.deepEqual(
    scenarios.map(({ inputs, extra }) => [
      JSON.stringify(inputs[0]?.value),
      extra?.sample,
      extra?.repetition,
    ]),
    ['"Ana"', '"Bo"', '{"first":"Cy","age":9007199254740992}'].flatMap((name, test) => [
      [name, String(2 * test), 1],
      [name, String(2 * test), 2],
    ]),
  )
})

test('preserves the exact text of values', async () => {
  const store = await createImportStore()
  const file = join(createTempFolder(), 'out.json')
  const vars = '{"10":1.0,"2":[9007199254740993,1e400,-0],"__proto__":{"a":"\\u0000"}}'
  writeFileSync(
    file,
    document([row({ vars: 'VARS', odd: 'ODD' })])
      .replace('"VARS"', vars)
      .replace('"ODD"', '1.50'),
  )
  const { evaluations } = await importInto(store, file)
  const lines = await scenarioLines(store, evaluations[0]?.id ?? '')
  for (const text of ['"value":1.0}', '[9007199254740993,1e400,-0]', '{"a":"\\u0000"}', '"odd":1.50'])
    assert.ok(lines.includes(text), `${text} in ${lines}`)
})

test('rejects a row whose cost or latency is outside the range of a double, and can skip it', async () => {
  const store = await createImportStore()
  const file = join(createTempFolder(), 'out.json')
  const rows = [row({ cost: 'COST' }), row({ testIdx: 1, latencyMs: 'LATENCY' }), row({ testIdx: 2 })]
  writeFileSync(file, document(rows).replace('"COST"', '1e400').replace('"LATENCY"', '1e400'))
  const report = await importInto(store, file, '--skip-invalid')
  assert.deepEqual(
    report.refusals.map(({ pointer, detail }) => [pointer, /outside the range of a double/.test(detail)]),
    [
      ['/outputs/0/cost', true],
      ['/outputs/0/latency', true],
    ],
  )
  assert.equal((await storedEvaluation(store, report.evaluations[0]?.id ?? '')).scenarios.length, 1)
})

test('imports comments as notes and pins highlighted rows', async () => {
  const commented = (comment: string) => oneScenario({ gradingResult: { pass: true, comment } })
  const plainComment = await commented('look here')
  assert.deepEqual([plainComment.note, plainComment.is_pinned], ['look here', null])
  const highlighted = await commented('!highlight look here')
  assert.deepEqual([highlighted.note, highlighted.is_pinned], ['look here', true])
  const bare = await commented('!highlight')
  assert.deepEqual([bare.note, bare.is_pinned], [null, true])
})

test('numbers assertions of one type, uses metric names, and imports human ratings', async () => {
  const { results, correct_answers } = await oneScenario({
    vars: { x: 'a', expected: 'e', answer: ['f', 7] },
    testCase: { assert: [{ type: 'contains', value: 'v', metric: 'm' }, { type: 'is-json' }] },
    namedScores: { m: 0.5 },
    gradingResult: {
      pass: true,
      componentResults: [
        { pass: true, assertion: { type: 'contains', metric: 'm' } },
        { pass: true, assertion: { type: 'contains' } },
        { pass: false, assertion: { type: 'contains' } },
        { pass: true, assertion: { type: 'human' } },
        { pass: true, assertion: null },
      ],
    },
  })
  assert.deepEqual(
    results.map(({ evaluator_config, result: { value } }) => [evaluator_config, value]),
    [
      ['m', true],
      ['contains', true],
      ['contains #2', false],
      ['human', true],
      ['assertion', true],
      ['m.score', 0.5],
      ['pass', true],
    ],
  )
  assert.deepEqual(correct_answers, [
    { key: 'm', value: 'v' },
    { key: 'expected', value: 'e' },
    { key: 'answer', value: 'f' },
    { key: 'answer', value: '7' },
  ])
})

describe('correct answers', () => {
  /** The answers of one test per assertion. */
  const answersOf = async (assertions: Row[], component: Row = {}): Promise<string[][]> => {
    const rows = assertions.map((assertion, testIdx) =>
      row({
        testIdx,
        testCase: { assert: [assertion] },
        gradingResult: { pass: true, componentResults: [{ pass: true, assertion, ...component }] },
      }),
    )
    const [evaluation] = await importContent(document(rows))
    return Array.from(evaluation?.scenarios ?? [], ({ correct_answers, extra }, index) => {
      // The assertion itself is stored in any case.
      assert.deepEqual(extra?.testCase, { assert: [assertions[index]] })
      return correct_answers?.map(({ key, value }) => `${key}: ${value}`) ?? []
    })
  }

  test('are the values of assertions that compare the output with an answer', async () => {
    const types = [
      ...['equals', 'starts-with', 'contains', 'icontains', 'similar', 'similar:cosine', 'levenshtein'],
      ...['bleu', 'gleu', 'meteor', 'rouge-n', 'factuality', 'model-graded-factuality', 'context-recall'],
    ]
    assert.deepEqual(
      await answersOf(types.map((type) => ({ type, value: 'Paris' }))),
      types.map((type) => [`${type}: Paris`]),
    )
    const listTypes = ['contains-all', 'contains-any', 'icontains-all', 'icontains-any', 'tool-call-f1']
    assert.deepEqual(
      await answersOf(listTypes.map((type) => ({ type, value: ['a', 'b'], metric: 'm' }))),
      listTypes.map(() => ['m: a', 'm: b']),
    )
  })

  test('are not forbidden texts, code, rubrics, patterns, schemas or limits', async () => {
    const assertions = [
      ['not-contains', 'sorry'],
      ['not-equals', 'no'],
      ['not-icontains-any', ['no', 'never']],
      ['not-regex', 'x+'],
      ['not-similar', 'no'],
      ['not-factuality', 'no'],
      ['javascript', 'output.length > 3'],
      ['javascript', 'file://check.js'],
      ['python', 'len(output) > 3'],
      ['ruby', 'output.size > 3'],
      ['webhook', 'https://example.com'],
      ['llm-rubric', 'Is polite'],
      ['agent-rubric', 'Is polite'],
      ['search-rubric', 'Is up to date'],
      ['g-eval', ['Is polite', 'Is short']],
      ['model-graded-closedqa', 'Does not mention a price'],
      ['pi', 'Is polite'],
      ['select-best', 'the funniest'],
      ['classifier', 'joy'],
      ['regex', 'S.y'],
      ['is-json', { type: 'object' }],
      ['contains-json', { type: 'object' }],
      ['is-sql', { databaseType: 'MySQL' }],
      ['word-count', { min: 1, max: 5 }],
      ['finish-reason', 'stop'],
      ['trajectory:step-count', { max: 3 }],
      ['promptfoo:redteam:harmful', 'x'],
      ['of-a-later-version', 'x'],
    ].map(([type, value]) => ({ type, value }))
    assert.deepEqual(
      await answersOf(assertions),
      assertions.map(() => []),
    )
  })

  test('are the rendered values of templates and files, and not their sources', async () => {
    const assertions = [
      { type: 'equals', value: '{{city}}' },
      { type: 'equals', value: 'file://city.txt' },
      { type: 'contains-all', value: ['Paris', '{{country}}'] },
    ]
    assert.deepEqual(await answersOf(assertions), [[], [], ['contains-all: Paris']])
    assert.deepEqual(
      await answersOf(assertions.slice(0, 2), { metadata: { renderedAssertionValue: 'Paris' } }),
      [['equals: Paris'], ['equals: Paris']],
    )
  })

  test('are taken from assertion sets', async () => {
    const inner = ['equals', 'not-equals'].map((type) => ({ type, value: 'x' }))
    assert.deepEqual(await answersOf([{ type: 'assert-set', assert: inner }]), [['equals: x']])
  })

  test('are taken from variables, also if these contain an assertion as text', async () => {
    const answers = [
      ['Paris', 'Paris'],
      ['Hint: Paris', 'Hint: Paris'],
      ['contains: Paris', 'Paris'],
      ['similar(0.8): Paris', 'Paris'],
      ['https://example.com', 'https://example.com'],
      ['not-contains: Rome', undefined],
      ['fn: output.length > 3', undefined],
      ['javascript: output.length > 3', undefined],
      ['grade: is polite', undefined],
      ['file://check.js', undefined],
    ]
    const rows = answers.map(([text], testIdx) => row({ testIdx, vars: { __expected: text } }))
    const [evaluation] = await importContent(document(rows))
    assert.deepEqual(
      evaluation?.scenarios.map(({ inputs, correct_answers }) => [
        inputs[0]?.value,
        correct_answers?.[0]?.value,
      ]),
      answers,
    )
  })
})

test('names the verdict of an assertion set after its metric', async () => {
  const inner = [{ pass: true, score: 1, assertion: { type: 'equals', value: 'x' } }]
  const set = (assertionSet?: Row) => ({
    pass: true,
    score: 0.5,
    reason: 'All assertions passed',
    componentResults: inner,
    ...(assertionSet && { metadata: { assertionSet: { type: 'assert-set', ...assertionSet } } }),
  })
  const evaluators = async (componentResults: Row[], assertions: Row[]) => {
    const { results } = await oneScenario({
      testCase: { assert: assertions },
      gradingResult: { pass: true, componentResults },
      namedScores: { quality: 0.5 },
    })
    return results.map(({ evaluator_config, result }) => [evaluator_config, result.value])
  }
  const sets = [{ type: 'assert-set', metric: 'quality' }, { type: 'assert-set' }]
  const expectedResults = [
    ['quality', true],
    ['equals', true],
    ['assert-set', true],
    ['equals #2', true],
    ['quality.score', 0.5],
    ['pass', true],
  ]
  const current = [set({ metric: 'quality' }), ...inner, set({}), ...inner]
  assert.deepEqual(await evaluators(current, []), expectedResults)
  // Older versions write no name. The sets of the test are in the same order.
  assert.deepEqual(await evaluators([set(), ...inner, set(), ...inner], sets), expectedResults)
})

test('stores derived metrics with their values in the metadata of the evaluation', async () => {
  const derivedMetrics = [
    { name: 'f1', value: '2 * p * r / (p + r)', description: 'harmonic mean' },
    { name: 'none', value: 'x' },
  ]
  const prompts = [0.25, 0.75].map((f1, index) => ({
    raw: 'p',
    label: 'p',
    provider: `provider ${index}`,
    metrics: { namedScores: { p: 1, f1 } },
  }))
  const rows = [row({}), row({ promptIdx: 1 })]
  const evaluations = await importContent(
    document(rows, {
      config: { description: 'd', derivedMetrics },
      results: { version: 3, prompts, results: rows },
    }),
  )
  assert.deepEqual(
    evaluations.map(({ evaluation }) => (evaluation.metadata as Row).derivedMetrics),
    [0.25, 0.75].map((score) => [{ ...derivedMetrics[0], score }, derivedMetrics[1]]),
  )
})

describe('CSV files', () => {
  const importFixture = async (name: string) => {
    const store = await createImportStore()
    const { evaluations } = await importInto(store, fixture(name))
    return Promise.all(evaluations.map(({ id }) => storedEvaluation(store, id)))
  }
  const hasPython = spawnSync('python3', ['--version']).status === 0

  test('are imported as an independent program reads them, with the counts of promptfoo', {
    skip: hasPython ? false : 'python3 is not installed',
  }, async () => {
    const script = fileURLToPath(new URL('../independent/promptfoo_csv.py', import.meta.url))
    const input = JSON.stringify(await importFixture('suite.csv'))
    const { status, stdout, stderr } = spawnSync(
      'python3',
      [script, fixture('suite.csv'), fixture('suite.json')],
      { input, encoding: 'utf8' },
    )
    assert.deepEqual([stdout.trim(), stderr, status], ['', '', 0])
  })

  test('of older versions have the same verdicts, scores, reasons and inputs', async () => {
    const describeRun = (evaluations: Stored[]) =>
      evaluations.map(({ revision, scenarios }) => ({
        label: revision?.config.config_name,
        scenarios: scenarios.map(({ inputs, results, outputs, extra }) => ({
          inputs: inputs.map(({ name, value }) => `${name}: ${value}`).toSorted(),
          results,
          details: extra?.results,
          hasError: outputs[0]?.result.type === 'error',
        })),
      }))
    const [current, older] = [await importFixture('suite.csv'), await importFixture('suite-0.120.csv')]
    assert.deepEqual(describeRun(older), describeRun(current))
    assert.equal(older[0]?.scenarios[2]?.outputs[0]?.result.error?.message, 'provider exploded')
    assert.equal(older[2]?.scenarios[0]?.outputs[0]?.result.value, 'SAY HELLO TO ANA')
  })

  const importRows = (...rows: string[][]) =>
    importContent(
      rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n'),
      'out.csv',
    )

  test('of the web page have the verdict in the cell of the output', async () => {
    const [evaluation] = await importRows(
      ['x', '[echo] say', 'Grader Reason', 'Comment'],
      ['1', '[PASS] yes', 'fine', ''],
      ['2', '[FAIL] not equal\n---\nno', 'not equal', 'look here'],
      ['3', '[ERROR] boom', '', ''],
      ['4', '', '', ''],
    )
    assert.deepEqual(
      evaluation?.scenarios.map(({ outputs, results, extra, note }) => [
        outputs[0]?.result.error?.message ?? outputs[0]?.result.value,
        results.at(-1)?.result.value,
        (extra?.results as Row[] | undefined)?.at(-1)?.reason,
        note,
      ]),
      [
        ['yes', true, 'fine', null],
        ['no', false, 'not equal', 'look here'],
        ['boom', null, undefined, null],
      ],
    )
  })

  test('that grow stay one evaluation per column', async () => {
    const lines = readFileSync(fixture('suite.csv'), 'utf8').split(/\n(?=,)/)
    for (const flags of [[], ['--variant', 'mine']]) {
      const store = await createImportStore()
      const file = join(createTempFolder(), 'out.csv')
      const reports = []
      for (const length of [2, lines.length]) {
        writeFileSync(file, `${lines.slice(0, length).join('\n').trimEnd()}\n`)
        reports.push(await importInto(store, file, ...flags))
      }
      const [first, second] = reports.map(({ stored, evaluations, variants }) => ({
        stored,
        evaluations: evaluations.map(({ id, accepted }) => [id, accepted]),
        variants: variants.map(({ id }) => id),
      }))
      assert.deepEqual(
        first?.variants,
        [0, 1, 2, 3].map((number) => `${flags[1] ?? 'out'}:${number}`),
      )
      assert.equal(first?.stored, true)
      assert.deepEqual(second, first)
    }
  })
})

test('rejects a row of an unknown column with its location', async () => {
  const store = await createImportStore()
  const file = join(createTempFolder(), 'out.json')
  writeFileSync(file, document([row({}), row({ promptIdx: 7, testIdx: 1 })]))
  const report = await importInto(store, file)
  assert.equal(report.stored, false)
  assert.deepEqual(
    report.refusals.map(({ record, pointer }) => [record, pointer]),
    [[2, '/promptIdx']],
  )
})

test('masks secrets and reports them', async () => {
  const store = await createImportStore()
  const file = join(createTempFolder(), 'out.json')
  const config = {
    description: 'd',
    providers: [
      {
        id: 'echo',
        config: { apiKey: 'sk-1', max_tokens: 5, headers: { Authorization: 'Bearer abcdefgh' } },
      },
    ],
  }
  writeFileSync(file, document([row({ provider: { id: 'echo', config: { password: 'pw' } } })], { config }))
  const report = await importInto(store, file)
  assert.deepEqual(
    report.repairs.map(({ pointer }) => pointer),
    [
      '/parameters/config/apiKey',
      '/parameters/config/headers/Authorization',
      '/extra/provider/config/password',
    ],
  )
  const [{ id = '' } = {}] = report.evaluations
  const { revision, scenarios } = await storedEvaluation(store, id)
  const storedText = JSON.stringify([revision, scenarios])
  assert.doesNotMatch(storedText, /sk-1|abcdefgh|"pw"/)
  assert.match(storedText, /"max_tokens":5/)
})

test('imports several files in the order of their times', async () => {
  const data = createTempFolder()
  const files = [fixture('echo-run-edited.json'), fixture('echo-run.json')]
  const { code, stdout } = await runAssay(['import', ...files, '--data', data, '--json'])
  assert.equal(code, 0)
  const report = JSON.parse(stdout)
  assert.deepEqual(
    report.files.map(({ file }: { file: string }) => file),
    files.toReversed(),
  )
  const dry = await runAssay(['import', files[0] ?? '', '--data', data, '--dry-run'])
  assert.equal(dry.code, 0)
  assert.match(dry.stdout, /0 scenarios would be added, 3 unchanged/)
  assert.match(dry.stdout, /first scenarios:\n\{\n {2}"id"/)
})

describe('providers', () => {
  const run = (evalId: string, providers: unknown[], prompts: object[], rows = [row({})]) =>
    document(rows, {
      evalId,
      config: { description: 'd', providers },
      results: { version: 3, prompts, results: rows },
    })

  test('adds a revision for another model with the same label', async () => {
    const store = await createImportStore()
    const revisions: (number | null)[] = []
    for (const id of ['openai:gpt-4', 'openai:gpt-5']) {
      const file = join(createTempFolder(), 'out.json')
      const provider = { id, label: 'main', config: { temperature: 0 } }
      writeFileSync(file, run(id, [provider], [{ raw: 'p', label: 'p', provider: 'main' }]))
      const [evaluation] = (await importInto(store, file)).evaluations
      const storedText = await storedEvaluation(store, evaluation?.id ?? '')
      revisions.push(storedText.evaluation.revision)
      assert.deepEqual(storedText.revision?.config.parameters, {
        prompt: 'p',
        provider: id,
        config: { temperature: 0 },
      })
    }
    assert.deepEqual(revisions, [1, 2])
  })

  test('distinguishes providers with the same name and different settings', async () => {
    const providers = [0, 1].map((temperature) => ({ id: 'x', config: { temperature } }))
    const prompts = ['a', 'b', 'a', 'b'].map((raw) => ({ raw, label: raw, provider: 'x' }))
    const evaluations = await importContent(run('e', providers, prompts))
    assert.deepEqual(
      evaluations.map(({ revision }) => revision?.config.parameters),
      ['a', 'b', 'a', 'b'].map((prompt, index) => ({
        prompt,
        provider: 'x',
        config: { temperature: index < 2 ? 0 : 1 },
      })),
    )
  })

  test('includes the settings of a prompt in the revision', async () => {
    const [evaluation] = await importContent(
      run('e', ['echo'], [{ raw: 'p', label: 'p', provider: 'echo', config: { temperature: 1 } }]),
    )
    assert.deepEqual(evaluation?.revision?.config.parameters, {
      prompt: 'p',
      prompt_config: { temperature: 1 },
      provider: 'echo',
    })
  })
})

describe('invalid and unusual rows', () => {
  test('imports a failure without an error message as a failure', async () => {
    const { outputs, results } = await oneScenario({
      failureReason: 2,
      error: null,
      response: null,
      success: false,
    })
    assert.match(outputs[0]?.result.error?.message ?? '', /does not contain the cause/)
    assert.equal(results.at(-1)?.result.value, null)
  })

  test('ignores an empty error', async () => {
    const { outputs, results } = await oneScenario({ response: { output: 'x', error: '' } })
    assert.deepEqual([outputs[0]?.result.value, results.at(-1)?.result.value], ['x', true])
  })

  test('stores values of an unexpected type in extra', async () => {
    const odd = { vars: ['a'], namedScores: [1], latencyMs: '12', cost: '0.1' }
    const { extra } = await oneScenario(odd)
    for (const [name, value] of Object.entries(odd)) assert.deepEqual(extra?.[name], value, name)
  })

  test('imports identical rows as separate scenarios', async () => {
    const missingIds = { id: undefined, testIdx: undefined }
    const [evaluation] = await importContent(document([row(missingIds), row(missingIds), row(missingIds)]))
    assert.equal(evaluation?.scenarios.length, 3)
  })

  test('creates no evaluation for a column without rows', async () => {
    const lines = [
      row({ prompt: { label: 'p' }, promptIdx: 2 }),
      row({ prompt: { label: 'q' }, promptIdx: 900 }),
    ]
    const evaluations = await importContent(lines.map((line) => JSON.stringify(line)).join('\n'), 'out.jsonl')
    assert.deepEqual(
      evaluations.map(({ evaluation, scenarios }) => [evaluation.id.replace(/^.*:/, ''), scenarios.length]),
      [
        ['2', 1],
        ['900', 1],
      ],
    )
  })

  test('ignores an empty id or description, and an invalid time', async () => {
    const more = {
      evalId: '',
      config: { description: '' },
      metadata: { evaluationCreatedAt: '2026-03-04T00:00:00Z' },
    }
    const results = {
      version: 3,
      timestamp: 'soon',
      prompts: [{ raw: 'p', provider: 'x' }],
      results: [row({})],
    }
    const [storedText] = await importContent(document([], { ...more, results }), 'nightly.json')
    assert.match(storedText?.evaluation.id ?? '', /^[0-9a-f]{16}$/)
    assert.equal(storedText?.evaluation.variant_id, 'nightly')
    assert.equal(storedText?.evaluation.created_at, '2026-03-04T00:00:00.000Z')
  })
})
