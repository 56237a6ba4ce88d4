// Tests the row of a scenario: its exact texts, the hashes that stored rows are compared with, and its line in a buffer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { validateRecord } from '../../../src/import/validate-record.ts'
import { NO_LIMITS, scan } from '../../../src/json/scan.ts'
import { checkScenario } from '../../../src/schema/scenarios.ts'
import { MEASURE_COLUMNS, repetitionValues } from '../../../src/store/scenarios/derived-columns.ts'
import { rowFromStored, type ScenarioRow, scenarioRow } from '../../../src/store/scenarios/row.ts'
import { readRowLine, rowLine } from '../../../src/store/scenarios/row-lines.ts'
import { sizes } from '../../sizes.ts'
import { JsonTexts } from '../../support/json-texts.ts'

function rowOf(text: string): ScenarioRow {
  const start = { index: 0, line: 1, offset: 0 }
  const record = { ...start, scanned: scan(Buffer.from(text), NO_LIMITS) }
  const { content, errors } = validateRecord(record, checkScenario)
  assert.ok(content, JSON.stringify(errors))
  return scenarioRow('e', content)
}

const toHex = (bytes: unknown) => (bytes === null ? null : Buffer.from(bytes as Uint8Array).toString('hex'))

/** All hashes of a row, in hexadecimal. */
function hashesOf({ digest, measure, inputs }: ScenarioRow): Record<string, unknown> {
  const isHash = (name: string) => name.endsWith('_hash')
  return {
    digest: toHex(digest),
    ...Object.fromEntries(
      MEASURE_COLUMNS.filter(isHash).map((name) => [name, toHex(measure[MEASURE_COLUMNS.indexOf(name)])]),
    ),
    inputs: inputs.map(([name, ...hashes]) => [name, ...hashes.map(toHex)]),
  }
}

const input = (value: string, name = 'q') => `{"name":"${name}","type":"json","value":${value}}`
const output = (value: string, rest = '') => `{"result":{"type":"text","value":${value}${rest}}}`

/** Stored hashes are compared with new ones, so a hash must never change. */
const HASHES: [text: string, hashes: Record<string, unknown>][] = [
  [
    '{"id":"a"}',
    {
      digest: '74981d12fdf6abbb9f19881ad37aa2d71d9794b57ef55246b7c28a573a8c60a8',
      input_hash: null,
      input_text_hash: null,
      expected_hash: 'e3b0c44298fc1c149afbf4c8996fb924',
      output_hash: 'e3b0c44298fc1c149afbf4c8996fb924',
      inputs: [],
    },
  ],
  [
    `{"id":"a","inputs":[${input('"What is 5e3?"')}],"outputs":[${output('"5000"')}]}`,
    {
      digest: '55822344c683eb359946c9a42158027cd94a1a7d2f6b358a8441924a0ae1aefd',
      input_hash: '850061502f6f4e23269436a5709a668e',
      input_text_hash: '006a3bf82f6f4e23269436a5709a668e',
      expected_hash: 'e3b0c44298fc1c149afbf4c8996fb924',
      output_hash: 'e7d380a668a8f9d6ab10d09c4afddbc3',
      inputs: [['q', 'd8898008c3d26cf991f51489a3ee7e40', '5de3daa0c3d26cf991f51489a3ee7e40']],
    },
  ],
  [
    `{"id":"a","inputs":[${input('5000.0')}],"outputs":[${output('5000')}],"extra":{"b":[1.0]}}`,
    {
      digest: '3dbefcc69a59a86262c31ab6af81a8314caa47ebe84ec616c04d3068af19b531',
      input_hash: '8f2705c7175e23c4fc0b1b635ee1026e',
      input_text_hash: 'e4433e43175e23c4fc0b1b635ee1026e',
      expected_hash: 'e3b0c44298fc1c149afbf4c8996fb924',
      output_hash: '09dde18a68a8f9d6ab10d09c4afddbc3',
      inputs: [['q', '85129606432b4fdbccca6f85350becd6', 'ee76ad82432b4fdbccca6f85350becd6']],
    },
  ],
  [
    `{"id":"a","inputs":[${input('9007199254740993')},${input('1e400', 'p')}],"is_pinned":true}`,
    {
      digest: '856efac08164272f62daaa0a2c6cbe642a0398f0e431dcbf6569a1653c50baa6',
      input_hash: '94219fa178e15fe6fa5b321fd59fa93d',
      input_text_hash: '15fb872778e15fe6fa5b321fd59fa93d',
      expected_hash: 'e3b0c44298fc1c149afbf4c8996fb924',
      output_hash: 'e3b0c44298fc1c149afbf4c8996fb924',
      inputs: [
        ['q', '8c23042cf51c269d9b7d8c0915703b09', 'e7473fa8f51c269d9b7d8c0915703b09'],
        ['p', '37566dd16ec2c8ce80b425ff80e0c8b7', '5c3256556ec2c8ce80b425ff80e0c8b7'],
      ],
    },
  ],
  [
    `{"id":"a","inputs":[${input('{"b":[1,"x"],"a":0.1320114261470735}')},${input('"2"')}],"note":"n"}`,
    {
      digest: 'a4aa0884fb04b5c475e1399a7c2127699da80bbe467e75d6f322f9de2444b26b',
      input_hash: 'e8d1d199b15db5d30600b027359572d7',
      input_text_hash: '8705a833b15db5d30600b027359572d7',
      expected_hash: 'e3b0c44298fc1c149afbf4c8996fb924',
      output_hash: 'e3b0c44298fc1c149afbf4c8996fb924',
      inputs: [['q', '4d2ed80d57ccc21adf8f5eeb40b851e3', '264ae38957ccc21adf8f5eeb40b851e3']],
    },
  ],
  [
    `{"id":"a","inputs":[${input(String.raw`"e\u0301 \ud800\u0000"`, 'ä')}],"outputs":[${output('"e\u0301"')}]}`,
    {
      digest: 'd889ca2ad7e42e2e8046fd3e1dc878471cddc3a1805dfd7c23cfa2c0f7876a0b',
      input_hash: '0fe2c6fc98caab360aace17dc7763ce2',
      input_text_hash: '8a889c5498caab360aace17dc7763ce2',
      expected_hash: 'e3b0c44298fc1c149afbf4c8996fb924',
      output_hash: 'a6b4c65582887798185473624e0f58e2',
      inputs: [['ä', '1a2625fd354f8598d2db7e86fd9b38a8', '9f4c7f55354f8598d2db7e86fd9b38a8']],
    },
  ],
  [
    `{"id":"a","correct_answers":[{"key":"z","value":"1"},{"key":"é","value":"😀"},{"key":"a","value":""}]}`,
    {
      digest: '7c1b49dd23f67deabaff34a77f0dc2de3c1bfb68e6ed33583750a3ea161ecdb6',
      input_hash: null,
      input_text_hash: null,
      expected_hash: 'a589ec84f726595187175c5d493f3964',
      output_hash: 'e3b0c44298fc1c149afbf4c8996fb924',
      inputs: [],
    },
  ],
  [
    `{"id":"a","outputs":[${output('true', ',"error":{"message":"failed"}')},${output('null')}]}`,
    {
      digest: '2802c74e37944d7d489124bcc985610605596696f771ce42dd5166fead6ed000',
      input_hash: null,
      input_text_hash: null,
      expected_hash: 'e3b0c44298fc1c149afbf4c8996fb924',
      output_hash: '2fd951ccff3cff54940ab4a36e2e13dc',
      inputs: [],
    },
  ],
]

test('keeps the hashes of stored rows', () => {
  for (const [text, hashes] of HASHES) assert.deepEqual(hashesOf(rowOf(text)), hashes, text)
})

const LONGEST_SAMPLE = '😀'.repeat(200)

const REPETITIONS: [extra: Record<string, unknown> | null, values: unknown[]][] = [
  [null, []],
  [{}, []],
  [{ sample: 'a', repetition: 2 }, ['a', 2]],
  [{ sample: 'a' }, ['a', null]],
  [{ repetition: Number.MAX_SAFE_INTEGER }, [null, Number.MAX_SAFE_INTEGER]],
  [{ sample: 7, repetition: '2' }, []],
  [{ sample: '', repetition: 0 }, []],
  [{ sample: null, repetition: -1 }, []],
  [{ sample: ['a'], repetition: 1.5 }, []],
  [{ sample: 'a', repetition: 2 ** 53 }, ['a', null]],
  [{ sample: LONGEST_SAMPLE }, [LONGEST_SAMPLE, null]],
  [{ sample: `${LONGEST_SAMPLE}x` }, []],
  [{ sample: 'x'.repeat(1_000_000), repetition: 1 }, [null, 1]],
  [{ sample: '\ud800\0' }, ['\ufffd\ufffd', null]],
]

test('derives sample and repetition from valid members of the extra data only', () => {
  for (const [extra, values] of REPETITIONS) {
    assert.deepEqual(repetitionValues(extra), values, JSON.stringify(extra)?.slice(0, 100))
    const row = rowOf(JSON.stringify({ id: 'a', extra }))
    assert.deepEqual(row.repetition, values)
    assert.deepEqual(rowFromStored('e', String(row.body), row.extra === null ? null : String(row.extra)), row)
    assertKept(row)
  }
})

/** A line of a buffer keeps all of a row. */
function assertKept(row: ScenarioRow): void {
  const line = rowLine(row)
  assert.ok(!line.includes('\n'))
  assert.deepEqual(readRowLine(Buffer.from(line)), row)
}

test('a line keeps the numbers and the names of each row, and negative zero is zero', () => {
  const result = (name: string, value: string) =>
    `{"evaluator_config":"${name}","result":{"type":"float","value":${value}}}`
  const rows = ['-0', '-0.0', '1e-400', '5e-324'].map((value, index) =>
    rowOf(
      `{"outputs":[{"result":{"type":"text"},"cost":${value}}],"results":[${result(`e${index}`, value)}]}`,
    ),
  )
  const lines = rows.map((row) => Buffer.from(rowLine(row)))
  assert.deepEqual(lines.map(readRowLine), rows)
  assert.deepEqual(
    rows.map(({ results: [values] }) => values?.[2]),
    [0, 0, 0, 5e-324],
  )
})

test('stores the exact texts, and derives the same row from them', () => {
  const texts = new JsonTexts(29)
  for (let run = 0; run < sizes.json_values; run += 1) {
    const [question, answer, score] = [texts.value(20), texts.value(20), texts.value(20)]
    const [extra, note, key] = [texts.object(5), texts.string(), texts.string()]
    const toText = (form: 'loose' | 'compact', members: string) =>
      `{"id":"a",${members}"inputs":[{"name":${key},"type":"json","value":${question[form]}}],"outputs":[{"result":{"type":"json","value":${answer[form]}}}],"correct_answers":[{"key":${key},"value":${note}}],"is_pinned":null,"note":${note},"results":[{"evaluator_config":${key},"result":{"type":"json","value":${score[form]}}}]`
    const row = rowOf(`${toText('loose', '')},"extra":${extra.loose}}`)
    assert.equal(row.body, `${toText('compact', '"evaluation_id":"e",')}}`)
    assert.equal(row.extra, extra.compact)
    assert.deepEqual(rowFromStored('e', String(row.body), String(row.extra)), row)
    assertKept({ ...row, location: { index: run, line: 2 * run }, hasGeneratedId: run % 2 === 0 })
  }
})
