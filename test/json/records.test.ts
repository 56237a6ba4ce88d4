import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRecordReader } from '../../src/json/document.ts'
import { JsonProblem } from '../../src/json/problem.ts'
import type { JsonRecord, Shape } from '../../src/json/records.ts'
import { sizes } from '../sizes.ts'

const numRuns = sizes.json_values
const LIMITS = { depth: 8, members: 20, record_bytes: 1000 }

/** Reads a text in chunks of these sizes (repeated), from one reused buffer. */
function readAll(shape: Shape, input: string | Buffer, sizes = [1e9], limits = LIMITS): JsonRecord[] {
  const reader = createRecordReader(shape, limits)
  const bytes = Buffer.from(input as string)
  const buffer = Buffer.alloc(bytes.length)
  const records: JsonRecord[] = []
  for (let offset = 0, turn = 0; offset < bytes.length; turn += 1) {
    const chunk = buffer.subarray(
      0,
      bytes.copy(buffer, 0, offset, offset + (sizes[turn % sizes.length] ?? 1)),
    )
    records.push(...reader.push(chunk))
    offset += chunk.length
    chunk.fill(0xff)
  }
  return [...records, ...reader.end()]
}

const view = ({ index, line, offset, scanned, problem }: JsonRecord) =>
  [
    index,
    line,
    offset,
    scanned?.text ?? [problem?.fault, problem?.line, problem?.offset, problem?.pointer],
  ] as const

function thrown(shape: Shape, input: string, sizes?: number[], limits?: typeof LIMITS): JsonProblem {
  try {
    readAll(shape, input, sizes, limits)
  } catch (error) {
    assert.ok(error instanceof JsonProblem, String(error))
    return error
  }
  return assert.fail(`taken: ${input}`)
}

const READ: [what: string, shape: Shape, input: string, records: ReturnType<typeof view>[]][] = [
  ['reads an empty array', 'array', ' [ \n] \n', []],
  ['reads empty input', 'lines', '', []],
  [
    'skips lines of white space',
    'lines',
    '\n \t\r\n{"a": 1}\n\n[ ]',
    [
      [0, 3, 5, '{"a":1}'],
      [1, 5, 15, '[]'],
    ],
  ],
  [
    'accepts CR LF line endings',
    'lines',
    '1\r\n2\r\n',
    [
      [0, 1, 0, '1'],
      [1, 2, 3, '2'],
    ],
  ],
  [
    'continues after an invalid line',
    'lines',
    '{"a":1,"a":2}\n x\n"a\nb"\n3',
    [
      [0, 1, 0, ['duplicate', 1, 7, '/a']],
      [1, 2, 15, ['syntax', 2, 15, '']],
      [2, 3, 17, ['syntax', 3, 17, '']],
      [3, 4, 20, ['syntax', 4, 20, '']],
      [4, 5, 23, '3'],
    ],
  ],
  [
    'finds elements of every type',
    'array',
    '[1,\n"a]\\",[" ,{"b":"}\\\\"},[[ ],{}], true,null]',
    [
      [0, 1, 1, '1'],
      [1, 2, 4, '"a]\\",["'],
      [2, 2, 14, '{"b":"}\\\\"}'],
      [3, 2, 26, '[[],{}]'],
      [4, 2, 36, 'true'],
      [5, 2, 41, 'null'],
    ],
  ],
  [
    'continues after an invalid element',
    'array',
    '[\n{"a":\n\n01},{"b":"\n"},nope,\n{"c":1,"c":2},[[[[[[[[[]]]]]]]]],4]',
    [
      [0, 2, 2, ['syntax', 4, 9, '']],
      [1, 4, 13, ['syntax', 4, 19, '']],
      [2, 5, 23, ['syntax', 5, 23, '']],
      [3, 6, 29, ['duplicate', 6, 36, '/c']],
      [4, 6, 43, ['depth', 6, 51, '/0/0/0/0/0/0/0/0']],
      [5, 6, 62, '4'],
    ],
  ],
  [
    'reports a missing comma as a problem of the record',
    'array',
    '[1,\n2 3,{}{},"a""b",1"b"]',
    [
      [0, 1, 1, '1'],
      [1, 2, 4, ['syntax', 2, 6, '']],
      [2, 2, 8, ['syntax', 2, 10, '']],
      [3, 2, 13, ['syntax', 2, 16, '']],
      [4, 2, 20, ['syntax', 2, 21, '']],
    ],
  ],
]
for (const [what, shape, input, records] of READ) {
  test(`${what}, for any chunk sizes`, () => {
    for (const sizes of [[1e9], [1], [2], [3, 1], [7]]) {
      assert.deepEqual(readAll(shape, input, sizes).map(view), records, `chunks of ${sizes}`)
    }
  })
}

const SPOILT: [input: string, message: RegExp, offset: number, line: number][] = [
  ['', /no value/, 0, 1],
  [' \n ', /no value/, 3, 2],
  ['[1,\n,2]', /before or after a comma/, 4, 2],
  ['[,1]', /before or after a comma/, 1, 1],
  ['[1,]', /before or after a comma/, 3, 1],
  ['[1]\n]', /no opening bracket/, 4, 2],
  ['[]{}', /continues after the end/, 2, 1],
  ['[1,\n2', /truncated/, 5, 2],
  ['[', /truncated/, 1, 1],
  ['[1,', /truncated/, 3, 1],
  ['[{"a":"]\n', /truncated/, 9, 2],
  [' {"a":1}\n{"a":2}', /continues after the end/, 9, 2],
  ['\ufeff[1]', /byte order mark/, 0, 1],
]
test('throws errors of the array with their position, for any chunk sizes', () => {
  for (const [input, message, offset, line] of SPOILT) {
    for (const sizes of [[1e9], [1], [2]]) {
      const problem = thrown('array', input, sizes)
      assert.match(problem.message, message)
      assert.deepEqual([problem.fault, problem.offset, problem.line], ['syntax', offset, line], input)
    }
  }
})

test('accepts records up to the size limit, without counting white space after them', () => {
  const limits = { ...LIMITS, record_bytes: 10 }
  for (const sizes of [[1e9], [1], [3]]) {
    const count = (shape: Shape, input: string) => readAll(shape, input, sizes, limits).length
    assert.equal(count('lines', `"12345678"${' '.repeat(50)}\r\n${' '.repeat(50)}1\n"12345678"`), 3)
    assert.equal(count('array', `["12345678"${' '.repeat(50)},   "12345678"\n]`), 2)
    for (const [shape, input, offset] of [
      ['lines', '1\n "123456789"\n', 3],
      ['lines', '1\n "123456    \t"', 3],
      ['array', '[\n["123456",1]', 2],
    ] as const) {
      const problem = thrown(shape, input, sizes, limits)
      assert.deepEqual([problem.fault, problem.offset, problem.line], ['size', offset, 2], input)
    }
  }
})

test('rejects a record that is too large before its end', () => {
  for (const shape of ['lines', 'array'] as const) {
    const reader = createRecordReader(shape, LIMITS)
    assert.deepEqual([...reader.push(Buffer.from(`${shape === 'array' ? '[' : ''}"${'a'.repeat(999)}`))], [])
    assert.throws(() => [...reader.push(Buffer.from('a'))], { name: 'JsonProblem', fault: 'size' })
  }
})

test('yields a record with the chunk that completes it', () => {
  const lines = createRecordReader('lines', LIMITS)
  assert.equal([...lines.push(Buffer.from('1\n2'))].length, 1)
  assert.equal([...lines.push(Buffer.from('\n3'))].length, 1)
  assert.equal([...lines.end()].length, 1)
  const array = createRecordReader('array', LIMITS)
  assert.equal([...array.push(Buffer.from('[{},[]'))].length, 1)
  assert.equal([...array.push(Buffer.from(']'))].length, 1)
})

test('rejects a value that is not an array', () => {
  for (const input of ['{"a":\n [1,2] }\n', '1', '"[1]"', '{"":[1]}'])
    assert.equal(thrown('array', input).fault, 'array', input)
})

test('reads chunks of one byte in linear time and constant memory', () => {
  const limits = { ...LIMITS, record_bytes: 300_000 }
  const [record] = readAll('lines', JSON.stringify('é'.repeat(100_000)), [1], limits)
  assert.equal(record?.scanned?.text.length, 100_002)
})

const piece = fc.oneof(
  fc.jsonValue({ depthSize: 'small' }).map((value) => JSON.stringify(value, null, 1)),
  fc.constantFrom(
    '"\\\\"',
    '"\\"]"',
    '"é😀"',
    '{"a":1,"a":2}',
    '01',
    '"\\x"',
    ' ',
    '\n',
    '\r\n',
    ',',
    ']',
    '[',
    '"',
    '{',
  ),
)
const input = fc.oneof(
  fc.array(piece, { maxLength: 8 }).map((pieces) => `[${pieces.join(' ,\n')}]`),
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('\n')),
)

/** The records, or the thrown problem. Records before a problem depend on the chunk boundaries. */
function outcome(shape: Shape, text: string, sizes: number[]): unknown {
  try {
    return readAll(shape, text, sizes, { ...LIMITS, record_bytes: 60 }).map((record) => [
      ...view(record),
      record.scanned?.members,
    ])
  } catch (error) {
    assert.ok(error instanceof JsonProblem, String(error))
    const { fault, message, offset, line } = error
    return { fault, message, offset, line }
  }
}

test('yields the same records or the same problem for any chunk sizes', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 })
  const check = (shape: Shape, text: string, cuts: number[]) =>
    assert.deepEqual(outcome(shape, text, cuts), outcome(shape, text, [1e9]))
  fc.assert(fc.property(fc.constantFrom<Shape>('array', 'lines'), input, sizes, check), { numRuns })
})
