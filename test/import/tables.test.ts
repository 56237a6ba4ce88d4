// Tests the table importer: column roles, cell values and rejected tables.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findImporter } from '../../src/import/formats.ts'
import { type ImportOptions, NO_STORED_DATA, openImport } from '../../src/import/importer.ts'
import { Source } from '../../src/import/source.ts'
import { previewColumns } from '../../src/import/table/rows.ts'
import { serialize } from '../../src/serialize/format.ts'
import { scenarioTable } from '../../src/serialize/scenarios.ts'
import { findProject } from '../../src/store/access/projects.ts'
import { getEvaluation } from '../../src/store/evaluations/evaluations.ts'
import { FULL_RANGE, readElementChunks } from '../../src/store/reads/elements.ts'
import { getScenarioColumns } from '../../src/store/scenarios/columns.ts'
import { SCENARIOS } from '../../src/store/scenarios/scenarios.ts'
import { createTempFolder } from '../support/harness.ts'
import {
  createImportStore,
  detectingImporters,
  type ImportStore,
  importInto,
  scenarioLines,
  storedEvaluation,
} from '../support/import-file.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures/import', import.meta.url))

function writeTempFile(content: string | Uint8Array, name = 'runs.csv'): string {
  const path = join(createTempFolder(), name)
  writeFileSync(path, content)
  return path
}

const sharedStore = await createImportStore()
let evaluationCount = 0

/** Imports a table as a new evaluation and returns its scenarios. */
async function importTable(path: string, ...flags: string[]) {
  evaluationCount += 1
  const id = `e${evaluationCount}`
  const report = await importInto(sharedStore, path, '--evaluation', id, ...flags)
  assert.deepEqual(report.refusals, [])
  const { scenarios } = await storedEvaluation(sharedStore, id)
  return { report, scenarios, lines: await scenarioLines(sharedStore, id) }
}

/** Imports one row with this score cell and returns its result. */
async function importScore(cell: string) {
  const { scenarios, lines } = await importTable(writeTempFile(`input.q,score.s\nx,${cell}\n`))
  return { result: scenarios[0]?.results[0]?.result, text: /"value":([^{}]*)\}\}\]/.exec(lines)?.[1] }
}

for (const [cell, type, text] of [
  ['0', 'number', '0'],
  ['1.0', 'number', '1.0'],
  ['9007199254740993', 'number', '9007199254740993'],
  ['-2.50e-3', 'number', '-2.50e-3'],
  ['.5', 'number', '0.5'],
  ['+1', 'number', '1'],
  ['true', 'bool', 'true'],
  ['FALSE', 'bool', 'false'],
  ['', 'number', 'null'],
  ['NaN', 'number', 'null'],
  ['-inf', 'number', 'null'],
  ['good', 'text', '"good"'],
  ['5%', 'number', '0.05'],
  ['"1,5"', 'number', '1.5'],
  ['"1,500"', 'text', '"1,500"'],
] as const) {
  test(`reads the score cell [${cell}] as ${type} ${text}`, async () => {
    const { result, text: value } = await importScore(cell)
    assert.deepEqual([result?.type, value], [type, text])
    assert.equal(result?.error, undefined)
  })
}

test('reports a NaN score and imports it as not scored', async () => {
  const { report } = await importTable(writeTempFile('input.q,score.s\nx,nan\ny,\n'))
  assert.deepEqual(
    report.repairs.map(({ record, line, pointer }) => [record, line, pointer]),
    [[1, 2, '/score.s']],
  )
})

test('distinguishes a failed application, a missing score, a score of 0 and a failed check', async () => {
  const { scenarios } = await importTable(
    writeTempFile(
      'input.q,output,error,score.a,score.b\n1,,HTTP 429,,\n2,,,0,false\n3,half,cut off,1,true\n',
    ),
  )
  const [failedScenario, zeroScenario, interruptedScenario] = scenarios
  assert.deepEqual(failedScenario?.outputs[0]?.result, {
    type: 'error',
    value: null,
    error: { message: 'HTTP 429' },
  })
  assert.deepEqual(
    failedScenario?.results.map(({ result }) => result.value),
    [null, null],
  )
  assert.deepEqual(zeroScenario?.outputs[0]?.result, { type: 'text', value: '' })
  assert.deepEqual(
    zeroScenario?.results.map(({ result }) => result.value),
    [0, false],
  )
  assert.equal(interruptedScenario?.outputs[0]?.result.error?.message, 'cut off')
  assert.deepEqual(interruptedScenario?.extra, { output: 'half' }, 'the output before the error is stored')
})

test('reads every input cell as text, also an empty one', async () => {
  const { scenarios } = await importTable(writeTempFile('input.a,b,output\n1,true,o\n,{},o\n'))
  assert.deepEqual(
    scenarios.map(({ inputs }) => inputs.map(({ name, type, value }) => [name, type, value])),
    [
      [
        ['a', 'text', '1'],
        ['b', 'text', 'true'],
      ],
      [
        ['a', 'text', ''],
        ['b', 'text', '{}'],
      ],
    ],
  )
})

test('derives the key of an expected answer from the column name and ignores empty cells', async () => {
  const { scenarios } = await importTable(
    writeTempFile('input.q,expected,expected.tool\n1,yes,lookup\n2,,\n'),
  )
  assert.deepEqual(scenarios[0]?.correct_answers, [
    { key: 'expected', value: 'yes' },
    { key: 'tool', value: 'lookup' },
  ])
  assert.equal(scenarios[1]?.correct_answers, null)
})

test('uses the row number as the id if the id cell is empty, and counts rejected rows too', async () => {
  const store = await createImportStore()
  const path = writeTempFile('id,q,output\na,1,o\n,2\n,3,o\n')
  const report = await importInto(store, path, '--evaluation', 'e', '--skip-invalid')
  assert.deepEqual([report.refused, report.stored], [1, true])
  const { scenarios } = await storedEvaluation(store, 'e')
  assert.deepEqual(
    scenarios.map(({ id }) => id),
    ['a', '3'],
  )
})

test('stores invalid values of cost, latency and is_pinned in extra', async () => {
  const { scenarios } = await importTable(
    writeTempFile('q,output,cost,latency,is_pinned,note\nx,o,free,slow,maybe,n\n'),
  )
  assert.deepEqual(scenarios[0]?.extra, { cost: 'free', latency: 'slow', is_pinned: 'maybe' })
  assert.deepEqual([scenarios[0]?.is_pinned, scenarios[0]?.note], [null, 'n'])
  assert.equal(scenarios[0]?.outputs[0]?.cost, undefined)
})

test("removes and reports the ' in front of a formula, but not in front of other text", async () => {
  const { scenarios, report } = await importTable(writeTempFile("q,output\n'=1+1,'tis\n'@x,'-1\n"))
  assert.deepEqual(
    scenarios.map(({ inputs, outputs }) => [inputs[0]?.value, outputs[0]?.result.value]),
    [
      ['=1+1', "'tis"],
      ['@x', '-1'],
    ],
  )
  assert.equal(report.repaired, 3)
})

for (const [feature, content] of [
  ['commas', 'input.q,output,score.s\n"a\n""b"";c\td","x, y",1\n'],
  ['tabs', 'input.q\toutput\tscore.s\n"a\n""b"";c\td"\tx, y\t1\n'],
  ['vertical bars', 'input.q|output|score.s\n"a\n""b"";c\td"|x, y|1\n'],
  ['a line with the delimiter', 'sep=;\r\ninput.q;output;score.s\r\n"a\n""b"";c\td";x, y;1\r\n'],
  ['semicolons', 'input.q;output;score.s\n"a\n""b"";c\td";x, y;1\n'],
  ['a byte order mark', '\ufeffinput.q,output,score.s\n"a\n""b"";c\td","x, y",1\n'],
  ['a header in quotes', '"input.q","output","score.s"\n"a\n""b"";c\td","x, y","1"\n'],
  ['CRLF', 'input.q,output,score.s\r\n"a\n""b"";c\td","x, y",1\r\n'],
  ['CR', 'input.q,output,score.s\r"a\n""b"";c\td","x, y",1\r'],
  ['CRLF in the header alone', 'input.q,output,score.s\r\n"a\n""b"";c\td","x, y",1\n'],
  ['LF in the header alone', 'input.q,output,score.s\n"a\n""b"";c\td","x, y",1\r\n'],
  ['no line end', 'input.q,output,score.s\n"a\n""b"";c\td","x, y",1'],
  ['blank lines', '\n\ninput.q,output,score.s\n\n"a\n""b"";c\td","x, y",1\n\n,,\n'],
] as const) {
  test(`reads a table with ${feature}`, async () => {
    const path = writeTempFile(content, 'runs.txt')
    assert.deepEqual(await detectingImporters(path), ['table'])
    const { scenarios } = await importTable(path)
    assert.equal(scenarios.length, 1)
    assert.equal(scenarios[0]?.inputs[0]?.value, 'a\n"b";c\td')
    assert.equal(scenarios[0]?.outputs[0]?.result.value, 'x, y')
    assert.equal(scenarios[0]?.results[0]?.result.value, 1)
  })
}

test('reads characters and rows that cross a chunk boundary', async () => {
  const text = 'ö½€𝄞,"\r\n" '.repeat(400)
  const rows = Array.from({ length: 300 }, (_, index) => `${index},"${text.replaceAll('"', '""')}"\r\n`)
  const { scenarios } = await importTable(writeTempFile(`n,output\r\n${rows.join('')}`))
  assert.equal(scenarios.length, 300)
  assert.ok(
    scenarios.every(
      ({ inputs, outputs }, index) => inputs[0]?.value === String(index) && outputs[0]?.result.value === text,
    ),
  )
})

const LATIN = Buffer.concat([Buffer.from('q,output\na,b\ncaf'), Buffer.from([0xe9]), Buffer.from(',x\n')])

for (const [defect, content, record, line, detail] of [
  ['too few cells', 'q,output\n1,"a\r\nb"\n\nonly\n', 2, 5, /has 1 cell, but the header has 2/],
  ['too many cells', 'q,output\n1,a,b\n', 1, 2, /has 3 cells, but the header has 2/],
  ['a duplicate column', 'q,output,q\n1,a,2\n', null, 1, /Duplicate column names: 'q'/],
  [
    'a column without a name',
    'q,,output\n0,1,a\n',
    null,
    1,
    /has 3 columns, but no name for column 2\. Give every column a name, or delete it/,
  ],
  ['a value after the last column', 'q,output,\n1,a,b\n', 1, 2, /value in a column without a name/],
  ['an unclosed quote', 'q,output\n1,a\n2,"b\n3,c\n', null, 3, /unclosed quote in column 'output'/],
  ['text after a quote', 'q,output\n1,"a"b\n', null, 2, /text after a closing quote in column 'output'/],
  [
    'a quote inside an unquoted cell',
    'q,output\n1,a"b"\n',
    null,
    2,
    /quote inside an unquoted cell in column 'output'/,
  ],
  ['invalid UTF-8', LATIN, null, 3, /not valid UTF-8/],
  ['a truncated character', LATIN.subarray(0, 17), null, 3, /not valid UTF-8/],
] as const) {
  test(`rejects a table with ${defect} and reports the line`, async () => {
    const report = await importInto(sharedStore, writeTempFile(content))
    assert.equal(report.stored, false)
    const [refusal] = report.refusals
    assert.deepEqual([refusal?.record, refusal?.line], [record, line])
    assert.match(refusal?.detail ?? '', detail)
  })
}

test('imports the rows before invalid UTF-8 with --skip-invalid', async () => {
  const store = await createImportStore()
  const report = await importInto(store, writeTempFile(LATIN), '--evaluation', 'e', '--skip-invalid')
  assert.deepEqual([report.refused, report.evaluations[0]?.accepted], [1, 1])
})

for (const [defect, content] of [
  ['an unclosed quote', `q,output\n1,"${'x\n'.repeat(300_000)}`],
  ['too many cells', `q,output\n${','.repeat(600_000)}`],
] as const) {
  test(`stops reading a row with ${defect} at the size limit`, async () => {
    let readBytes = 0
    const path = writeTempFile(content)
    const source = await Source.open(path, createTempFolder())
    const limits = { record_bytes: 2000, depth: 10, members: 100 }
    source.onRead = (bytes) => {
      readBytes = bytes
    }
    const options: ImportOptions = {
      evaluation: 'e',
      variant: undefined,
      map: undefined,
      on_conflict: 'error',
      stored: NO_STORED_DATA,
      limits,
    }
    const details: string[] = []
    const tables = findImporter(source, 'table') ?? assert.fail()
    for await (const event of (await openImport(tables, source, options)).events())
      if (event.kind === 'rejection') details.push(event.detail)
    await source.close()
    assert.match(details.join(), /larger than 2000 bytes\. It may contain an unclosed quote/)
    assert.ok(readBytes < content.length, `${readBytes} bytes were read`)
  })
}

test('assigns column roles from a map', async () => {
  // German column names, which the importer does not recognize.
  const path = writeTempFile('frage,antwort,soll,genau,lauf,note\nq,a,s,0.5,r1,n\n')
  assert.deepEqual(await detectingImporters(path), [])
  const flags = '--format table --map note=input,antwort=output,soll=expected,genau=score,lauf=extra'
  const { scenarios } = await importTable(path, ...flags.split(' '))
  const { inputs, outputs, correct_answers, results, extra, note } = scenarios[0] ?? assert.fail()
  assert.deepEqual(
    inputs.map(({ name }) => name),
    ['frage', 'note'],
  )
  assert.equal(outputs[0]?.result.value, 'a')
  assert.deepEqual(correct_answers, [{ key: 'soll', value: 's' }])
  assert.deepEqual(results, [{ evaluator_config: 'genau', result: { type: 'number', value: 0.5 } }])
  assert.deepEqual([extra, note], [{ lauf: 'r1' }, null])
})

test('assigns roles, keys and types from a column map', async () => {
  const path = writeTempFile(
    'a,b,"c,""d",e,f,g,h,i,j\nr-1,hi,yes,75%,0.30,1234,25,because,5.50\n,ho,no,100,n/a,7,,,\n'.replace(
      ',i,j',
      ',i,"j=k"',
    ),
  )
  const map =
    'a=id, b=output,"c,""d"=score.exact:bool,e=score.close:percent,f=score:number,g=latency:ms,h=cost:cents,i=reason.exact,"j=k"=extra'
  const { scenarios, report, lines } = await importTable(path, '--map', map)
  assert.deepEqual(scenarios[0]?.results, [
    { evaluator_config: 'exact', result: { type: 'bool', value: true } },
    { evaluator_config: 'close', result: { type: 'number', value: 0.75 } },
    { evaluator_config: 'f', result: { type: 'number', value: 0.3 } },
  ])
  assert.deepEqual(
    scenarios[1]?.results.map(({ result }) => result.value),
    [false, 1, null],
  )
  assert.match(lines, /"cost":0\.25,"latency":1\.234.*"value":0\.30/)
  assert.equal(scenarios[0]?.id, 'r-1')
  assert.deepEqual(scenarios[0]?.extra, { results: [{ reason: 'because' }, {}, {}], 'j=k': '5.50' })
  assert.deepEqual(
    report.columns.map(({ name, role, key, type, origin }) => [name, role, key, type, origin]).slice(2, 4),
    [
      ['c,"d', 'score', 'exact', 'bool', 'option'],
      ['e', 'score', 'close', 'percent', 'option'],
    ],
  )
  assert.deepEqual(
    report.repairs.map(({ pointer, detail }) => `${pointer} ${detail}`),
    [
      "/c,\"d 2 cells such as 'yes' were read as true or false.",
      "/e 2 cells such as '75%' were divided by 100.",
      "/f 1 cell such as 'n/a' was read as not scored.",
    ],
  )
})

for (const [map, message] of [
  ['answer', /not valid at 'answer'/],
  ['q=output,=id', /not valid at '=id'/],
  ['q=verdict', /'q' cannot have the role 'verdict'.*/],
  ['q=score:letter', /'q' with the role score cannot have the type 'letter'/],
  ['q=output:ms', /'q' with the role output cannot have the type 'ms'/],
  ['q=output,q=id', /'q' cannot be both output and id/],
  ['q=output,output=output', /The output cannot be both 'q' and 'output'/],
] as const) {
  test(`rejects the column map ${map}`, async () => {
    await assert.rejects(importInto(sharedStore, writeTempFile('q,output\n1,a\n'), '--map', map), message)
  })
}

test('rejects a cell that does not fit the type of its column', async () => {
  const store = await createImportStore()
  const report = await importInto(
    store,
    writeTempFile('q,output,s\n1,a,0.5\n2,b,good\n'),
    '--map',
    's=score:number',
  )
  assert.deepEqual(
    report.refusals.map(({ record, line, pointer }) => [record, line, pointer]),
    [[2, 3, '/s']],
  )
  assert.match(report.refusals[0]?.detail ?? '', /'good' is not a number/)
})

test('reports the existing columns when an option names a missing one', async () => {
  const store = await createImportStore()
  const csv = await importInto(
    store,
    writeTempFile('q,output\n1,a\n'),
    '--format',
    'table',
    '--map',
    'x=score',
  )
  assert.match(csv.refusals[0]?.detail ?? '', /no column 'x'. The columns are 'q', 'output'/)
  const jsonl = writeTempFile('{"q":1,"output":"a"}\n', 'x.jsonl')
  const records = await importInto(store, jsonl, '--format', 'table', '--map', 'x=score')
  assert.match(records.refusals[0]?.detail ?? '', /No record has a member 'x'/)
})

test('rejects two output columns, and two roles for one column', async () => {
  const store = await createImportStore()
  const path = writeTempFile('q,output,answer\n1,a,b\n')
  const report = await importInto(store, path, '--format', 'table', '--map', 'answer=output')
  assert.match(report.refusals[0]?.detail ?? '', /Several columns have the role output: 'output', 'answer'/)
  await assert.rejects(
    importInto(store, path, '--format', 'table', '--map', 'q=score,q=extra'),
    /'q' cannot be both score and extra/,
  )
})

for (const [content, name, isTable] of [
  ['question,answer\n1,2\n', 'x.csv', true],
  ['text,label\n1,2\n', 'x.csv', false],
  ['text,label,score\n1,2,3\n', 'x.csv', true],
  ['name,value\n1,2\n', 'x.csv', false],
  ['output,score.x\n1,2\n', 'x.csv', false],
  ['question,output\n1,2\n', 'x', true],
  ['question,score.x\n1,2\n', 'x', true],
  ['question,expected.x\n1,2\n', 'x', true],
  ['question,error\n1,2\n', 'x', true],
  ['id,output,cost,latency,error,is_pinned,note\n', 'x', true],
  ['revision,modified_by,config_name,parameters,created_at\n', 'x.csv', false],
  ['example_id,repetition_number,input,output,error\n', 'x.csv', false],
  ['Dear all,\nthe output, as it were\n', 'x.txt', false],
  ['PK\u0003\u0004,output,q\n', 'x.csv', false],
  ['{"question":"q","output":"a"}\n', 'x.jsonl', true],
  ['[{"question":"q","output":"a","tags":["x"]}]', 'x.json', true],
  ['{"input.q":"q","score.x":1}\n', 'x.jsonl', true],
  ['{"question":"q","output":{"text":"a"}}\n', 'x.jsonl', false],
  ['{"question":"q","answer":"a"}\n', 'x.jsonl', true],
  ['{"id":"1","inputs":[],"outputs":[]}\n', 'x.jsonl', false],
  ['{"example_id":"1","repetition_number":1,"input":"i","output":"a"}\n', 'x.jsonl', false],
  ['', 'x.csv', false],
] as const) {
  test(`${JSON.stringify(content.slice(0, 60))} is ${isTable ? '' : 'not '}detected as a table`, async () => {
    assert.equal((await detectingImporters(writeTempFile(content, name))).includes('table'), isTable)
  })
}

test('does not detect files from other tools as a table', async () => {
  for (const fixture of [
    'promptfoo/v3-simple-cli-output.json',
    'openai/items.jsonl',
    'phoenix/returns-nightly.json',
  ])
    assert.ok(!(await detectingImporters(join(FIXTURES, fixture))).includes('table'), fixture)
})

test('previews the columns of an undetected table, but not of other files', async () => {
  const previewFile = async (content: string, name: string) => {
    const source = await Source.open(writeTempFile(content, name), createTempFolder())
    await source.close()
    return previewColumns(source)
  }
  assert.deepEqual(await previewFile('frage;antwort\n1;2\n', 'x.txt'), ['frage', 'antwort'])
  assert.deepEqual(await previewFile('frage\n1\n', 'x.csv'), ['frage'])
  assert.deepEqual(await previewFile('{"frage":1,"ant.wort":2}\n', 'x.jsonl'), ['frage', 'ant.wort'])
  assert.equal(await previewFile('{"a":{"b":1}}', 'x.json'), undefined)
  assert.equal(await previewFile('nothing of the kind\n', 'x.txt'), undefined)
  assert.equal(await previewFile('[1, 2]', 'x.json'), undefined)
})

test('preserves the text of JSON values and reads NaN as not scored', async () => {
  const text = '{"q":{"a":1.0,"n":9007199254740993},"output":1.50,"score.s":NaN,"score.t":1.0}\n'
  const { lines, scenarios } = await importTable(writeTempFile(text, 'x.jsonl'), '--format', 'table')
  assert.match(lines, /"type":"json","value":\{"a":1.0,"n":9007199254740993\}/)
  assert.match(lines, /"result":\{"type":"number","value":1.50\}/)
  assert.match(lines, /"evaluator_config":"t","result":\{"type":"number","value":1.0\}/)
  assert.deepEqual(scenarios[0]?.results[0]?.result, { type: 'number', value: null })
})

for (const [member, record] of [
  ['an id that is a list', '{"q":"x","output":"o","id":["a"]}'],
  ['a note that is an object', '{"q":"x","output":"o","note":{"a":1}}'],
  ['a cost that is a text', '{"q":"x","output":"o","cost":"1"}'],
] as const) {
  test(`stores ${member} in extra`, async () => {
    const { scenarios } = await importTable(writeTempFile(`${record}\n`, 'x.jsonl'), '--format', 'table')
    const { q, output, ...extra } = JSON.parse(record)
    assert.deepEqual([scenarios[0]?.id, scenarios[0]?.extra], ['1', extra])
    assert.deepEqual(scenarios[0]?.outputs, [{ result: { type: 'text', value: 'o' } }])
  })
}

test('rejects two rows with the same id, also if one id is a row number', async () => {
  const store = await createImportStore()
  const report = await importInto(store, writeTempFile('id,input.q,output\n2,a,b\n,a,b\n3,c,d\n'))
  assert.equal(report.stored, false)
  assert.match(report.refusals[0]?.detail ?? '', /Another record of this file has the same id '2'/)
})

test('treats every error as a failure except null, false and blank or empty values', async () => {
  const errors = ['7', 'true', '["a"]', '{"message":"m"}', '" "', '""', 'false', 'null', '[]']
  const lines = errors.map((error) => `{"q":"x","output":"o","error":${error}}\n`).join('')
  const { scenarios } = await importTable(writeTempFile(lines, 'x.jsonl'))
  assert.deepEqual(
    scenarios.map(({ outputs }) => outputs[0]?.result.error?.message),
    ['7', 'true', '["a"]', 'm', ...Array(5).fill(undefined)],
  )
})

test('reports the location of records that are not JSON objects, and skips them with --skip-invalid', async () => {
  const store = await createImportStore()
  const path = writeTempFile('{"q":1,"output":"a"}\n7\n{"q":\n{"q":2,"output":"b"}\n', 'x.jsonl')
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

test('imports two tables of one variant as two evaluations of one revision', async () => {
  const store = await createImportStore()
  await importInto(
    store,
    writeTempFile('q,output\n1,a\n', 'monday.csv'),
    '--variant',
    'bot',
    '--evaluation',
    'm',
  )
  await importInto(
    store,
    writeTempFile('q,output\n1,b\n', 'tuesday.csv'),
    '--variant',
    'bot',
    '--evaluation',
    't',
  )
  const [monday, tuesday] = [await storedEvaluation(store, 'm'), await storedEvaluation(store, 't')]
  assert.deepEqual([monday.evaluation.name, tuesday.evaluation.name], ['monday', 'tuesday'])
  assert.deepEqual(
    [monday.evaluation, tuesday.evaluation].map(({ variant_id, revision }) => [variant_id, revision]),
    [
      ['bot', 1],
      ['bot', 1],
    ],
  )
})

async function exportCsv({ reader, project: name = '' }: ImportStore, id: string): Promise<Buffer> {
  return reader.snapshot('long', async (snapshot) => {
    const project = (await findProject(snapshot, name)) ?? -1
    const { key } = await getEvaluation(snapshot, { project, conceal: true, confined_to: null }, id)
    const table = scenarioTable(await getScenarioColumns(snapshot, key))
    const pieces = (separator: string) => readElementChunks(snapshot, SCENARIOS, key, FULL_RANGE, separator)
    const chunks: Uint8Array[] = []
    for await (const chunk of serialize('csv', pieces, table)) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks)
  })
}

test('restores the same scenarios from a CSV export of Assay', async () => {
  const text = (name: string, value: string) => ({ name, type: 'text', value })
  const result = (evaluator_config: string, type: string, value: unknown) => ({
    evaluator_config,
    result: { type, value },
  })
  const records = [
    {
      id: 'ümläut, "1"',
      inputs: [text('question', 'a\r\nb, "c"'), text('con.text', '')],
      outputs: [{ result: { type: 'text', value: '=not a formula;\t' }, cost: 0.00042, latency: 1.5 }],
      correct_answers: [{ key: 'answer', value: '42' }],
      is_pinned: true,
      note: 'line\nline',
      results: [
        result('exact', 'bool', false),
        result('score', 'number', 0),
        result('la,bel', 'text', 'good'),
      ],
    },
    {
      id: '2',
      inputs: [text('question', '1.0'), text('con.text', 'true')],
      outputs: [{ result: { type: 'error', value: null, error: { message: 'HTTP 429' } } }],
      correct_answers: null,
      is_pinned: false,
      note: null,
      results: [
        result('exact', 'number', null),
        result('score', 'number', 0.5),
        result('la,bel', 'number', null),
      ],
    },
  ]
  const store = await createImportStore()
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  await importInto(store, writeTempFile(lines, 'x.ndjson'), '--evaluation', 'e')
  const path = writeTempFile(await exportCsv(store, 'e'), 'e.csv')
  assert.deepEqual(await detectingImporters(path), ['table'])
  const newStore = await createImportStore()
  const report = await importInto(newStore, path, '--evaluation', 'e')
  assert.deepEqual([report.refused, report.repaired], [0, 0])
  assert.equal(await scenarioLines(newStore, 'e'), await scenarioLines(store, 'e'))
})

/** Imports a table and returns the first reason why it was rejected. */
async function rejectionOf(content: string, ...flags: string[]) {
  const report = await importInto(sharedStore, writeTempFile(content), ...flags)
  assert.deepEqual([report.stored, report.evaluations], [false, []])
  return { report, detail: report.refusals[0]?.detail ?? '' }
}

test('rejects a table without an output, reports the columns and suggests a map', async () => {
  const { report, detail } = await rejectionOf('domanda,risposta,punti\nCosa?,Questa è una frase.,3\n')
  assert.equal(
    detail,
    "No column has the role output. If 'risposta' contains the output: --map 'risposta=output'.",
  )
  assert.deepEqual(
    report.columns.map(({ name, role, origin, examples }) => [name, role, origin, examples]),
    [
      ['domanda', 'input', 'default', ['Cosa?']],
      ['risposta', 'input', 'default', ['Questa è una frase.']],
      ['punti', 'input', 'default', ['3']],
    ],
  )
})

test('does not suggest numbers as the output', async () => {
  const { detail } = await rejectionOf('task,steps_done,success\nt,3,True\n')
  assert.match(detail, /--map 'COLUMN=output'\. To import results without outputs, give every column a role/)
})

for (const [content, candidate] of [
  ['question,ground_truth,score\nq,g,1\n', 'ground_truth'],
  ['question,reply text,score.x\nq,g,1\n', 'reply text'],
  ["question,bot's text,score.x\nq,g,1\n", "bot'\\''s text"],
  ['question,"rep,ly",error\nq,g,e\n', '"rep,ly"'],
] as const) {
  test(`suggests the output of ${JSON.stringify(content)}`, async () => {
    const { detail } = await rejectionOf(content)
    assert.ok(detail.endsWith(`--map '${candidate}=output'.`), detail)
  })
}

test('rejects a table with several equally likely outputs', async () => {
  const { detail } = await rejectionOf('question,long_answer,short_answer\nq,a,b\n')
  assert.equal(
    detail,
    "Several columns can be the output: 'long_answer', 'short_answer'. Choose one: --map 'long_answer=output'. To import each as an evaluation of its own: --map 'long_answer=output/long_answer,short_answer=output/short_answer'.",
  )
})

for (const content of [
  'input.q,score.s\nq,1\n',
  'question,error\nq,HTTP 429\n',
  'id,input.q,error\n1,q,e\n',
]) {
  test(`imports ${JSON.stringify(content)} without an output`, async () => {
    const { scenarios } = await importTable(writeTempFile(content))
    assert.equal(scenarios.length, 1)
  })
}

test('imports a table without scores and reports it', async () => {
  const { report } = await importTable(writeTempFile('prompt,response\np,r\n'))
  assert.match(report.notes[0]?.detail ?? '', /^No column has the role score.*--map 'COLUMN=score'/)
  const scored = await importTable(writeTempFile('prompt,response,score\np,r,1\n'))
  assert.deepEqual(scored.report.notes, [])
})

/** The ids of a table that is imported several times into one store, with different options. */
async function importedIds(content: string, ...flagLists: string[][]): Promise<(string | undefined)[]> {
  const path = writeTempFile(content)
  const ids: (string | undefined)[] = []
  for (const flags of flagLists) {
    const { refusals, evaluations } = await importInto(sharedStore, path, ...flags)
    assert.deepEqual(refusals, [])
    ids.push(evaluations[0]?.id)
  }
  return ids
}

test('derives the id from the content alone if all roles follow from explicit names', async () => {
  const content = 'id,question,output,expected.a,score.s\n1,q,o,a,0.5\n'
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const ids = await importedIds(content, [], ['--map', 'question=input'], ['--map', 'score.s=score'])
  assert.deepEqual(ids, [digest, digest, digest])
})

test('imports a table with other roles as another evaluation', async () => {
  const [detected, equal, other, again] = await importedIds(
    'question,answer,ground_truth,lauf\nq,a,b,3\n',
    [],
    ['--map', 'question=input,answer=output,ground_truth=expected,lauf=extra'],
    ['--map', 'lauf=score'],
    ['--map', '"lauf"=score'],
  )
  assert.equal(equal, detected, 'a map that equals the detected roles')
  assert.notEqual(other, detected)
  assert.equal(again, other)
})

test('reads percentages, decimal commas and words exactly, and reports each column once', async () => {
  const { lines, report } = await importTable(
    writeTempFile(
      'sep=;\r\nquestion;answer;accuracy;similarity;verdict;cost\r\na;b;75%;0,850;pass;0,10\r\nc;d;7,5 %;1;FAIL;1\r\n',
    ),
  )
  const values = [...lines.matchAll(/"result":\{"type":"(?:number|bool)","value":([^}]*)\}/g)].map(
    ([, text]) => text,
  )
  assert.deepEqual(values, ['0.75', '0.850', 'true', '0.075', '1', 'false'])
  assert.match(lines, /"cost":0\.10/)
  assert.deepEqual(
    report.repairs.map(({ line, pointer, detail }) => [line, pointer, detail]),
    [
      [3, '/accuracy', "2 cells such as '75%' were divided by 100."],
      [3, '/similarity', "1 cell such as '0,850' was read with a decimal comma."],
      [3, '/verdict', "2 cells such as 'pass' were read as true or false."],
      [3, '/cost', "1 cell such as '0,10' was read with a decimal comma."],
    ],
  )
})

for (const [column, first, later, reason] of [
  ['similarity', '"0,5"', '0.5', /'0\.5' is not a number with a decimal comma/],
  ['similarity', '0.5', '"0,5"', /'0,5' is not a number/],
  ['verdict', 'pass', 'maybe', /'maybe' is not true or false/],
  ['accuracy', '75%', 'high', /'high' is not a number/],
] as const) {
  test(`rejects a row whose ${column} ${later} differs from ${first} in the first rows`, async () => {
    const rows = Array.from({ length: 1200 }, (_, index) => `q,a,${index === 1100 ? later : first}\n`)
    const { report, detail } = await rejectionOf(`question,answer,${column}\n${rows.join('')}`)
    assert.match(detail, reason)
    assert.deepEqual([report.refused, report.refusals[0]?.record, report.refusals[0]?.line], [1, 1101, 1102])
  })
}

test('stores texts between the numbers of an explicit score column, and reports them', async () => {
  const { report } = await importTable(writeTempFile('question,output,score\na,b,0.5\nc,d,75%\ne,f,7\n'))
  assert.match(report.notes[0]?.detail ?? '', /^1 cell such as '75%' was stored as text, but 2 other cells/)
})

test('divides percentages between numbers from 0 to 1 by 100, and reports them', async () => {
  const { report, lines } = await importTable(
    writeTempFile('question,output,score\na,b,0.9\nc,d,75%\ne,f,1\n'),
  )
  assert.match(lines, /"value":0\.9\}.*"value":0\.75\}.*"value":1\}/s)
  assert.deepEqual(
    report.repairs.map(({ detail }) => detail),
    ["1 cell such as '75%' was divided by 100."],
  )
})

test('reads thousands separators if a decimal point in the column shows what they are', async () => {
  const { report, lines } = await importTable(
    writeTempFile('question,output,points_score\na,b,"1,234.5"\nc,d,"1,500"\ne,f,2\n'),
  )
  assert.match(lines, /"value":1234\.5\}.*"value":1500\}.*"value":2\}/s)
  assert.match(report.repairs[0]?.detail ?? '', /^2 cells such as '1,234.5' were read without the commas/)
})

test('reads the words for missing scores in a column named score as not scored', async () => {
  const { report, scenarios } = await importTable(writeTempFile('question,output,score\na,b,N/A\nc,d,0.5\n'))
  assert.deepEqual([scenarios[0]?.results[0]?.result.value, report.notes], [null, []])
})

test('reads the units in the cells of costs and latencies, and reports what is not read', async () => {
  const { report, lines, scenarios } = await importTable(
    writeTempFile(
      'question,output,score,cost_usd,latency_ms\na,b,1,$0.002,850ms\nc,d,1,"0,5 USD",1.2 s\ne,f,1,3,"1,234"\n',
    ),
    '--map',
    'cost_usd=cost,latency_ms=latency:ms',
  )
  assert.match(lines, /"cost":0\.002,"latency":0\.850?\}.*"cost":0\.5,"latency":1\.2\}.*"cost":3\}/s)
  assert.deepEqual(scenarios[2]?.extra, { latency_ms: '1,234' })
  assert.deepEqual(
    [...report.repairs, ...report.notes].map(({ detail }) => detail),
    [
      "2 cells such as '$0.002' were read with the unit in the cell.",
      "2 cells such as '850ms' were read with the unit in the cell.",
      "1 cell such as '1,234' was not read as a latency, and stored in extra.",
    ],
  )
})

test('names the index column of pandas, and ignores a delimiter at the end of lines', async () => {
  const { report, scenarios } = await importTable(
    writeTempFile(',question, output ,score,\n0,a,b,1,\n1,c,d,0,\n'),
  )
  assert.deepEqual(
    report.columns.map(({ name, role }) => [name, role]),
    [
      ['Unnamed: 0', 'extra'],
      ['question', 'input'],
      ['output', 'output'],
      ['score', 'score'],
    ],
  )
  assert.deepEqual(scenarios[1]?.extra, { 'Unnamed: 0': '1' })
  assert.deepEqual(
    report.repairs.map(({ line, detail }) => [line, detail]),
    [
      [1, 'Spaces around column names were removed.'],
      [1, 'Columns without a name at the end of the header were ignored.'],
      [1, "The first column has no name, like the index of pandas. It was named 'Unnamed: 0'."],
    ],
  )
})

test('does not guess thousands separators', async () => {
  const { report, scenarios } = await importTable(writeTempFile('question,output,score\na,b,"1,500"\n'))
  assert.equal(scenarios[0]?.results[0]?.result.value, '1,500')
  assert.match(report.notes[0]?.detail ?? '', /can separate decimals or thousands/)
})

for (const [header, cell, latency] of [
  ['latency_ms', '1234', '1.234'],
  ['Latency (ms)', '0.1', '0.0001'],
  ['duration_seconds', '1.50', '1.50'],
  ['response time [us]', '70', '0.00007'],
  ['total time min', '1.1', '66'],
  ['elapsed', '350', '0.35'],
  ['latency', '350', '350'],
] as const) {
  test(`reads the latency ${cell} of the column ${header} as ${latency} seconds`, async () => {
    const { lines } = await importTable(writeTempFile(`question,answer,${header}\nq,a,${cell}\n`))
    assert.match(lines, new RegExp(`"latency":${latency.replace('.', '\\.')}\\}`))
  })
}

test('warns about a latency that is probably in milliseconds', async () => {
  const { report } = await importTable(writeTempFile('question,output,score,latency\nq,a,1,1834\n'))
  assert.match(report.notes[0]?.detail ?? '', /read as seconds.*--map 'latency=latency:ms'/)
})

test('does not use repeated values of an id column as ids', async () => {
  const { report, scenarios } = await importTable(
    writeTempFile('id,source,question,answer,correct\n1,a,q,x,true\n1,b,q,y,false\n'),
  )
  assert.deepEqual(
    scenarios.map(({ id, inputs }) => [id, inputs[0]?.name, inputs[0]?.value]),
    [
      ['1', 'id', '1'],
      ['2', 'id', '1'],
    ],
  )
  assert.match(report.notes[0]?.detail ?? '', /values of the column 'id' repeat/)
})

const REPETITIONS: [
  what: string,
  content: string,
  column: [role: string, type: string | null],
  rows: [id: string, sample: unknown, repetition: unknown][],
  flags?: string[],
][] = [
  [
    'a trial from 1 and an id that repeats',
    'id,trial,question,output\na,1,q,x\nb,1,r,x\na,2,q,y\nb,2,r,y\n',
    ['repetition', '1-based'],
    [
      ['a', 'a', 1],
      ['b', 'b', 1],
      ['a #2', 'a', 2],
      ['b #2', 'b', 2],
    ],
  ],
  [
    'an epoch from 0 and another id column',
    'question,case_id,output,Epoch\nq,a,x,0\nq,a,y,1\n',
    ['repetition', '0-based'],
    [
      ['a', 'a', 1],
      ['a #2', 'a', 2],
    ],
  ],
  [
    'a repetition and ids that are different',
    'id,question,output,repetition_number\na-1,q,x,1\na-2,q,y,2\n',
    ['repetition', '1-based'],
    [
      ['a-1', undefined, 1],
      ['a-2', undefined, 2],
    ],
  ],
  [
    'only one repetition',
    'id,question,output,trial\na,q,x,3\nb,q,y,3\n',
    ['repetition', '1-based'],
    [
      ['a #3', 'a', 3],
      ['b #3', 'b', 3],
    ],
  ],
  [
    'a repeat without ids',
    'question,trial_index,output\nq,0,x\nq,1,y\n',
    ['repetition', '0-based'],
    [
      ['1', undefined, 1],
      ['2', undefined, 2],
    ],
  ],
  [
    'a trial that is not a number',
    'trial,output\nfirst,x\nsecond,y\n',
    ['input', null],
    [
      ['1', undefined, undefined],
      ['2', undefined, undefined],
    ],
  ],
  [
    'a trial that is mapped to an input',
    'trial,output\n1,x\n',
    ['input', null],
    [['1', undefined, undefined]],
    ['--map', 'trial=input'],
  ],
  [
    'a column that is mapped to a repetition from 0',
    'id,question,output,lauf\na,q,x,1\na,q,y,2\n',
    ['repetition', '0-based'],
    [
      ['a #2', 'a', 2],
      ['a #3', 'a', 3],
    ],
    ['--map', 'lauf=repetition:0-based'],
  ],
]
for (const [what, content, [role, type], rows, flags = []] of REPETITIONS) {
  test(`reads repetitions from a table with ${what}`, async () => {
    const { report, scenarios } = await importTable(writeTempFile(content), ...flags)
    const column = report.columns.find(({ name }) => /trial|epoch|repetition|lauf/i.test(name))
    assert.deepEqual([column?.role, column?.type], [role, type])
    assert.deepEqual(
      scenarios.map(({ id, extra }) => [id, extra?.sample, extra?.repetition]),
      rows,
    )
    for (const { inputs } of scenarios)
      assert.equal(
        inputs.some(({ name }) => name === column?.name),
        role === 'input',
      )
  })
}

test('stores repetitions that are not integers in extra, and reports them', async () => {
  const content = `question,output,trial\n${'q,x,1\n'.repeat(1000)}q,x,0\nq,x,1.5\nq,x,\n`
  const { report, scenarios } = await importTable(writeTempFile(content))
  assert.deepEqual(
    scenarios.slice(1000).map(({ extra }) => extra),
    [{ trial: 0 }, { trial: 1.5 }, null],
  )
  assert.deepEqual(
    report.notes.map(({ detail }) => detail).filter((detail) => detail.includes('repetition')),
    ["2 cells such as '0' were not read as a repetition, and stored in extra."],
  )
})

test('does not use ids that repeat within a repetition as samples', async () => {
  const content = 'task_id,trial,question,output\na,1,q,x\na,1,r,x\na,2,q,y\na,2,r,y\n'
  const { scenarios } = await importTable(writeTempFile(content))
  assert.deepEqual(
    scenarios.map(({ id, inputs, extra }) => [id, inputs[0]?.value, extra]),
    ['1', '2', '3', '4'].map((id, index) => [id, 'a', { repetition: index < 2 ? 1 : 2 }]),
  )
})

test('stores the reasons of evaluators with their results', async () => {
  const { scenarios } = await importTable(
    writeTempFile(
      'question,answer,fluency,judge_score,judge_reason,feedback\nq,a,4,0.5,half right,nice\nq,a,4,0.5,,\n',
    ),
  )
  assert.deepEqual(
    scenarios.map(({ extra, note }) => [extra, note]),
    [
      [{ results: [{}, { reason: 'half right' }] }, 'nice'],
      [null, null],
    ],
  )
})

test('never reads long texts, confidences and token counts as scores', async () => {
  const text = 'The answer is correct because it names the capital.'
  const { scenarios } = await importTable(
    writeTempFile(`question,answer,correctness,confidence,total_tokens\nq,a,${text},0.9,12\n`),
  )
  assert.deepEqual(scenarios[0]?.results, [])
  assert.deepEqual(scenarios[0]?.extra, { correctness: text, confidence: '0.9', total_tokens: '12' })
})

test('reads None, null and false in an error column as no error', async () => {
  const { scenarios, report } = await importTable(
    writeTempFile('question,output,error\na,b,None\nc,d,False\ne,f,timeout\n'),
  )
  assert.deepEqual(
    scenarios.map(({ outputs }) => outputs[0]?.result.error?.message),
    [undefined, undefined, 'timeout'],
  )
  assert.match(report.repairs[0]?.detail ?? '', /2 cells such as 'None' were read as no error/)
})

test('reports columns that first occur after the examined records', async () => {
  const records = Array.from({ length: 1100 }, (_, index) =>
    index === 1050
      ? '{"question":"q","answer":"a","correct":true,"score.late":1,"other":"o"}\n'
      : '{"question":"q","answer":"a","correct":false}\n',
  )
  const { report, scenarios } = await importTable(writeTempFile(records.join(''), 'x.jsonl'))
  assert.deepEqual(
    report.columns.map(({ name, role, origin }) => `${name} ${role} ${origin}`),
    [
      'question input name',
      'answer output name',
      'correct score name',
      'score.late score name',
      'other input default',
    ],
  )
  assert.deepEqual(
    scenarios[1050]?.results.map(({ evaluator_config, result }) => [evaluator_config, result.value]),
    [
      ['correct', true],
      ['late', 1],
    ],
  )
})
