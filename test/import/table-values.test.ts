// Tests what the values of tables mean: errors, verdicts, ratings, late columns, chat messages and rows that are no results.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTempFolder } from '../support/harness.ts'
import {
  createImportStore,
  detectingImporters,
  importInto,
  storedEvaluation,
} from '../support/import-file.ts'

const store = await createImportStore()
let evaluationCount = 0

function writeTempFile(content: string): string {
  const path = join(createTempFolder(), content.startsWith('{') ? 'runs.jsonl' : 'runs.csv')
  writeFileSync(path, content)
  return path
}

async function importTable(content: string, ...flags: string[]) {
  evaluationCount += 1
  const id = `e${evaluationCount}`
  const report = await importInto(store, writeTempFile(content), '--evaluation', id, ...flags)
  assert.deepEqual(report.refusals, [])
  const { scenarios } = await storedEvaluation(store, id)
  const notes = report.notes.map(({ detail }) => detail).join('\n')
  const roles = Object.fromEntries(
    report.columns.map(({ name, role, type }) => [name, `${role}${type === null ? '' : `:${type}`}`]),
  )
  /** The results of all scenarios of one evaluator. */
  const resultsOf = (evaluator: string) =>
    scenarios.map(({ results }) => results.find((item) => item.evaluator_config === evaluator)?.result)
  const valuesOf = (evaluator: string) => resultsOf(evaluator).map((result) => result?.value)
  return { report, scenarios, notes, roles, resultsOf, valuesOf }
}

const table = (column: string, cells: string[]) =>
  `question,output,${column}\n${cells.map((cell, index) => `q${index},a,${cell}\n`).join('')}`

for (const cells of [
  ['Yes', 'No'],
  ['0', '1'],
  ['OK', 'OK'],
  ['false', 'false'],
  ['0.3', '0.25'],
]) {
  test(`does not read the values ${cells} as error messages`, async () => {
    const { scenarios, notes, roles } = await importTable(table('error', cells))
    assert.deepEqual(
      scenarios.map(({ outputs }) => outputs[0]?.result.type),
      ['text', 'text'],
    )
    assert.equal(roles.error, 'extra')
    assert.match(notes, /'error', such as .*, are not error messages.*--map 'error=error'/)
  })
}

test('reads the words for no error between messages', async () => {
  const { scenarios } = await importTable(table('error', ['OK', 'No', '0', 'HTTP 429', 'false']))
  assert.deepEqual(
    scenarios.map(({ outputs }) => outputs[0]?.result.error?.message),
    [undefined, undefined, undefined, 'HTTP 429', undefined],
  )
})

test('reads a score that first occurs late in a file, and reports it', async () => {
  const records = Array.from({ length: 1300 }, (_, index) =>
    JSON.stringify({
      question: `q${index}`,
      output: 'a',
      ...(index >= 1200 && { judge_score: 0.5, judge_reason: 'r' }),
    }),
  )
  const { scenarios, notes, roles, valuesOf } = await importTable(`${records.join('\n')}\n`)
  assert.deepEqual(roles, {
    question: 'input',
    output: 'output',
    judge_score: 'score:number',
    judge_reason: 'reason',
  })
  assert.equal(valuesOf('judge_score')[1250], 0.5)
  assert.deepEqual(scenarios[1250]?.extra, { results: [{ reason: 'r' }] })
  assert.match(
    notes,
    /The first value of the column 'judge_score' is in row 1201\. It was read as score \(number\)\./,
  )
})

test('reads a score whose first value is late, also with a decimal comma', async () => {
  const cells = Array.from({ length: 1300 }, (_, index) => (index < 1200 ? '' : '"0,5"'))
  const { valuesOf, notes } = await importTable(table('quality_score', cells))
  assert.deepEqual([valuesOf('quality_score')[0], valuesOf('quality_score')[1250]], [null, 0.5])
  assert.match(notes, /'quality_score' is in row 1201/)
})

for (const [cells, values] of [
  [
    ['TRUE', 'FALSE', 'ERROR'],
    [true, false, null],
  ],
  [
    ['0.5', '#DIV/0!', '1'],
    [0.5, null, 1],
  ],
  [
    ['4/5', 'timeout', '3/5'],
    [4, null, 3],
  ],
] as const) {
  test(`stores the one bad cell of ${cells} as an error of the evaluator`, async () => {
    const { valuesOf, resultsOf, notes } = await importTable(table('accuracy', [...cells]))
    assert.deepEqual(valuesOf('accuracy'), values)
    const bad = values.indexOf(null as never)
    assert.deepEqual(resultsOf('accuracy')[bad]?.error, { message: cells[bad] })
    assert.match(
      notes,
      new RegExp(`^1 cell such as '${cells[bad]}' was stored as an error of the evaluator`, 'm'),
    )
  })
}

test('stores a bad cell after the examined rows as an error of the evaluator', async () => {
  const cells = Array.from({ length: 1300 }, (_, index) => (index === 1200 ? 'Error: HTTP 500' : 'TRUE'))
  const { resultsOf } = await importTable(table('correct', cells))
  assert.equal(resultsOf('correct')[1200]?.error?.message, 'Error: HTTP 500')
})

test('reports a label between true and false, which makes the column a text', async () => {
  const { roles, notes } = await importTable(table('correct', ['yes', 'no', 'partial', 'yes']))
  assert.equal(roles.correct, 'score:text')
  assert.match(notes, /'correct' has 1 values? that .* not true or false/)
})

test('reads ratings as numbers with their scale', async () => {
  const { roles, valuesOf, scenarios } = await importTable(
    table('judge_rating', ['4/5', '3 / 5', '4.5 out of 5', '']),
  )
  assert.equal(roles.judge_rating, 'score:rating')
  assert.deepEqual(valuesOf('judge_rating'), [4, 3, 4.5, null])
  assert.deepEqual(scenarios[0]?.extra, { results: [{ scale: 5 }] })
})

test('does not compare ratings of different scales', async () => {
  const { valuesOf, notes } = await importTable(table('judge_rating', ['4/5', '8/10', '3/5']))
  assert.deepEqual(valuesOf('judge_rating'), ['4/5', '8/10', '3/5'])
  assert.match(notes, /ratings of the column 'judge_rating' have different scales/)
})

test('reads check marks with a variation selector as verdicts', async () => {
  const { valuesOf } = await importTable(table('correct', ['✔️', '❌', '✅', '✖️']))
  assert.deepEqual(valuesOf('correct'), [true, false, true, false])
})

for (const [cell, what] of [
  ['"{""helpful"": 4, ""safe"": 1}"', 'JSON'],
  ["\"{'helpful': 4, 'safe': 1}\"", 'a Python dictionary'],
] as const) {
  test(`reads the scores in ${what} as one evaluator per member`, async () => {
    const { roles, valuesOf } = await importTable(table('scores', [cell, cell]))
    assert.deepEqual(Object.keys(roles), ['question', 'output', 'scores.helpful', 'scores.safe'])
    assert.deepEqual(
      [valuesOf('helpful'), valuesOf('safe')],
      [
        [4, 4],
        [1, 1],
      ],
    )
  })
}

test('reads an object with scores, a latency and a reason', async () => {
  const { roles } = await importTable(
    '{"question":"q","output":"a","metrics":{"f1":0.5,"latency_ms":12.5,"tokens":7},"judge":{"score":4,"reason":"good"}}\n',
  )
  assert.deepEqual(roles, {
    question: 'input',
    output: 'output',
    'metrics.f1': 'score:number',
    'metrics.latency_ms': 'latency:ms',
    'metrics.tokens': 'extra',
    'judge.score': 'score:number',
    'judge.reason': 'reason',
  })
})

test('names the evaluator after the column of an object that a judge wrote', async () => {
  const judgments = (index: number) => ({
    judge_a: { score: index / 10, reason: `a${index}`, model: 'm-1' },
    judge_b: { reason: `b${index}`, verdict: 'pass' },
  })
  const lines = Array.from({ length: 3 }, (_, index) =>
    JSON.stringify({
      question: `q${index}`,
      answer: 'a',
      ...judgments(index),
      judge_config: { model: 'm-1' },
    }),
  )
  const { valuesOf, scenarios, roles } = await importTable(`${lines.join('\n')}\n`)
  assert.deepEqual(valuesOf('judge_a'), [0, 0.1, 0.2])
  assert.deepEqual(valuesOf('judge_b'), [true, true, true])
  assert.deepEqual(scenarios[1]?.extra?.results, [{ reason: 'a1' }, { reason: 'b1' }])
  assert.equal(roles['judge_a.model'], 'extra')
  assert.equal(roles.judge_config, 'extra')
})

test('reads ratings with one scale after the output as scores, whatever the name of the column is', async () => {
  const { valuesOf } = await importTable(table('tone', ['3 out of 10', '10/10']))
  assert.deepEqual(valuesOf('tone'), [3, 10])
  const { roles } = await importTable(table('part', ['1/3', '2/4']))
  assert.equal(roles.part, 'extra')
})

test('leaves an object with scores unchanged if a map names its column', async () => {
  const { roles, scenarios } = await importTable(table('scores', ['"{""a"": 4}"']), '--map', 'scores=extra')
  assert.equal(roles.scores, 'extra')
  assert.deepEqual(scenarios[0]?.extra, { scores: '{"a": 4}' })
})

for (const [cells, assumed, map] of [
  [['35', '80', '99'], 'seconds', 'latency:ms'],
  [['35.5', '80.1', '99'], 'seconds', 'latency:ms'],
] as const) {
  test(`reports that the latencies ${cells} were read as ${assumed}`, async () => {
    const { notes } = await importTable(table('latency', [...cells]))
    assert.match(
      notes,
      new RegExp(`'latency', ${cells[0]} to 99, were read as ${assumed}.*--map 'latency=${map}'`),
    )
  })
}

test('reports that a latency was read as milliseconds', async () => {
  const { notes, scenarios } = await importTable(table('response_time', ['350', '800']))
  assert.equal(scenarios[0]?.outputs[0]?.latency, 0.35)
  assert.match(notes, /were read as milliseconds.*--map 'response_time=latency:s'/)
})

test('does not report latencies that are clear', async () => {
  for (const content of [table('latency', ['0.4', '1.5']), table('latency_ms', ['35', '80'])])
    assert.doesNotMatch((await importTable(content)).notes, /were read as/)
})

for (const row of ['TOTAL,,0.75', 'Average:,,75%', '---,---,---', ':--,:-:,--:', 'question,output,score']) {
  test(`leaves out the row ${row}`, async () => {
    const { scenarios, report, roles } = await importTable(`question,output,score\n${row}\nq,a,0.5\nr,b,1\n`)
    assert.deepEqual([scenarios.length, roles.score?.slice(0, 5)], [2, 'score'])
    assert.deepEqual([report.omitted, report.omissions[0]?.record, report.omissions[0]?.line], [1, 1, 2])
  })
}

test('keeps rows with these words that have an output', async () => {
  const { scenarios } = await importTable('word,output,score\ntotal,gesamt,1\nmean,Mittel,0\n')
  assert.equal(scenarios.length, 2)
})

test('reads a Markdown table', async () => {
  const { scenarios, valuesOf } = await importTable(
    '| question | output | score |\n|---|:-:|---|\n| q | a b | 0.5 |\n',
  )
  assert.deepEqual(
    scenarios.map(({ inputs, outputs, extra }) => [inputs[0]?.value, outputs[0]?.result.value, extra]),
    [['q', 'a b', null]],
  )
  assert.deepEqual(valuesOf('score'), [0.5])
})

const MESSAGES = '[{"role":"system","content":"s"},{"role":"user","content":"u"}]'
const ANSWER = '{"role":"assistant","content":"the answer"}'
const WITH_TOOLS =
  '{"role":"assistant","content":[{"type":"text","text":"the answer"}],"tool_calls":[{"id":"1"}]}'

for (const [record, messages, input = 'input'] of [
  [`{"input":${MESSAGES},"output":${ANSWER},"expected":"e","correct":true}`, MESSAGES],
  [`{"input":${MESSAGES},"output":[${ANSWER}],"expected":"e","correct":true}`, MESSAGES],
  [`{"input":${MESSAGES},"output":"the answer","expected":"e","correct":true}`, MESSAGES],
  [`{"input":${MESSAGES},"output":{"choices":[{"message":${ANSWER}}]},"correct":true}`, MESSAGES],
  [`{"messages":${MESSAGES},"output":"the answer"}`, MESSAGES, 'messages'],
  [`{"messages":${MESSAGES.slice(0, -1)},${ANSWER}]}`, MESSAGES, 'messages'],
  [`{"messages":${MESSAGES.slice(0, -1)},${WITH_TOOLS}],"metadata":{"a":1}}`, MESSAGES, 'messages'],
  [
    '{"conversations":[{"from":"human","value":"u"},{"from":"gpt","value":"the answer"}]}',
    '[{"from":"human","value":"u"}]',
    'conversations',
  ],
] as const) {
  test(`detects and imports the chat record ${record.slice(0, 30)}…${record.slice(-40)}`, async () => {
    const path = writeTempFile(`${record}\n${record}\n`)
    assert.deepEqual(await detectingImporters(path), ['table'])
    const { report } = await importTable(`${record}\n`, '--format', 'table')
    // The page sends the roles of all columns.
    const map = report.columns.map((column) => `${column.name}=${column.role}`).join(',')
    const { scenarios, valuesOf } = await importTable(`${record}\n`, '--format', 'table', '--map', map)
    assert.deepEqual(scenarios[0]?.inputs, [{ name: input, type: 'json', value: JSON.parse(messages) }])
    assert.deepEqual(scenarios[0]?.outputs[0]?.result, { type: 'text', value: 'the answer' })
    if (record.includes('correct')) assert.deepEqual(valuesOf('correct'), [true])
    if (record.includes('tool_calls'))
      assert.deepEqual(scenarios[0]?.extra, { metadata: { a: 1 }, 'output.message': JSON.parse(WITH_TOOLS) })
  })
}
