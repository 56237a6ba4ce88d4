// Tests that a streamed document equals the parsed document, for any chunk sizes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DocumentPaths, DocumentReader } from '../../src/json/document.ts'
import { JsonProblem } from '../../src/json/problem.ts'
import { sizes } from '../sizes.ts'

const numRuns = sizes.json_values
const LIMITS = { depth: 30, members: 50, record_bytes: 100_000 }

interface Read {
  records: { path: string; text: string | undefined; line: number }[]
  rest: string
}

function readAll(input: string, paths: DocumentPaths, sizes = [1e9], limits = LIMITS): Read {
  const reader = new DocumentReader(paths, limits)
  const bytes = Buffer.from(input)
  const buffer = Buffer.alloc(bytes.length)
  const records: Read['records'] = []
  for (let offset = 0, turn = 0; offset < bytes.length; turn += 1) {
    const chunk = buffer.subarray(
      0,
      bytes.copy(buffer, 0, offset, offset + (sizes[turn % sizes.length] ?? 1)),
    )
    for (const { path, line, scanned } of reader.push(chunk))
      records.push({ path, line, text: scanned?.text })
    offset += chunk.length
    chunk.fill(0xff)
  }
  return { records, rest: reader.end().text }
}

function thrown(input: string, paths: DocumentPaths, limits = LIMITS): JsonProblem {
  try {
    readAll(input, paths, [7], limits)
  } catch (error) {
    assert.ok(error instanceof JsonProblem, String(error))
    return error
  }
  return assert.fail(`taken: ${input}`)
}

const PATHS = { records: ['rows', 'in.rows'], dropped: ['big', 'rows.events', 'in.rows.deep.events'] }

test('yields the records and reads dropped members as null', () => {
  const input = `{ "a" : [1, {"rows":[2]}], "rows" : [ {"x": 1.0,\n "events":[{"]":"}"}, 2]} , "s",\n 3 ],
    "big": {"rows": [1], "x": "\\"]}"}, "in": {"rows": [{"deep":{"events":"e","kept":1}}, []], "n": {"rows": [5]}} }`
  for (const sizes of [[1e9], [1], [3, 5]]) {
    assert.deepEqual(readAll(input, PATHS, sizes), {
      records: [
        { path: 'rows', line: 1, text: '{"x":1.0,"events":null}' },
        { path: 'rows', line: 2, text: '"s"' },
        { path: 'rows', line: 3, text: '3' },
        { path: 'in.rows', line: 4, text: '{"deep":{"events":null,"kept":1}}' },
        { path: 'in.rows', line: 4, text: '[]' },
      ],
      rest: '{"a":[1,{"rows":[2]}],"rows":[],"big":null,"in":{"rows":[],"n":{"rows":[5]}}}',
    })
  }
})

test('keeps a value at a records path in the rest if it is not an array', () => {
  const { records, rest } = readAll('{"rows":{"in":1},"in":{"rows":null}}', PATHS)
  assert.deepEqual([records, rest], [[], '{"rows":{"in":1},"in":{"rows":null}}'])
})

test('returns the same rest when records are skipped', () => {
  const input = '{"id":1,"rows":[{"a":[1,2]},{"events":[]},{bad],"end":{"rows":[3]}}'
  assert.throws(() => readAll('{"rows":[{"a":1}}', PATHS), JsonProblem)
  const { records, rest } = readAll(input.replace('{bad]', '{}]'), { ...PATHS, skipsRecords: true })
  assert.deepEqual([records, rest], [[], '{"id":1,"rows":[],"end":{"rows":[3]}}'])
})

for (const [what, input, message, line = 1, offset] of [
  ['a truncated document', '{"rows":[{"a":1},{"b"', /may be truncated/],
  ['a missing element', '{"rows":[1,,2]}', /missing before or after a comma/],
  ['a trailing comma', '{"rows":[1,]}', /missing before or after a comma/],
  ['text after the document', '{"rows":[]} x', /continues after the end/],
  ['an extra bracket', '{"rows":[]}}', /no opening bracket|continues after the end/],
  ['a rest that is not JSON', '{"rows":[1],\n"big":[\n1],\n"a":nan}', /nan is not valid JSON/, 4, 29],
] as [string, string, RegExp, number?, number?][]) {
  test(`reports ${what} with its position`, () => {
    const problem = thrown(input, PATHS)
    assert.match(problem.message, message)
    assert.equal(problem.line, line)
    if (offset !== undefined) assert.equal(problem.offset, offset)
  })
}

test('does not buffer separators between records', () => {
  const limits = { ...LIMITS, record_bytes: 100 }
  const input = `{"rows":[${Array(50)
    .fill(`\n${' '.repeat(20)}{"a":1}`)
    .join(' ,')}\n]}`
  const { records, rest } = readAll(input, PATHS, [13], limits)
  assert.deepEqual([records.length, records.at(-1)?.line, rest], [50, 51, '{"rows":[]}'])
})

test('reports a record that is too large with its position, without counting dropped members', () => {
  const large = 'x'.repeat(500)
  const limits = { ...LIMITS, record_bytes: 200 }
  const { records } = readAll(`{"rows":[{"events":"${large}","a":1}]}`, PATHS, [11], limits)
  assert.equal(records[0]?.text, '{"events":null,"a":1}')
  const { fault, line } = thrown(`{"rows":[1,\n{"a":"${large}"}]}`, PATHS, limits)
  assert.deepEqual([fault, line], ['size', 2])
  assert.equal(thrown(`{"other":"${large}","rows":[]}`, PATHS, limits).fault, 'size')
})

test('continues after a record that is too large if requested', () => {
  const limits = { ...LIMITS, record_bytes: 100 }
  const input = `{"rows":[1,\n{"a":"${'x'.repeat(500)}"},\n2],"b":3}`
  const { records, rest } = readAll(input, { ...PATHS, passesLarge: true }, [7], limits)
  assert.deepEqual(
    records.map(({ text, line }) => [text, line]),
    [
      ['1', 1],
      [undefined, 2],
      ['2', 3],
    ],
  )
  assert.equal(rest, '{"rows":[],"b":3}')
})

test('reads any document like JSON.parse', () => {
  const names = fc.constantFrom('rows', 'in', 'events', 'deep', 'big', 'a"b', '\u00e9')
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, true, 0, -1.5, '', 'x', '"]}', '\\', '\n\u2028'),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }))
  const document = fc.dictionary(names, value, { maxKeys: 5, noNullPrototype: true })
  const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 })
  const indent = fc.constantFrom(0, 2)
  fc.assert(
    fc.property(document, sizes, indent, (document, sizes, indent) => {
      const expected: Read['records'] = []
      const rest = expectedRest(document, '', false, expected)
      const result = readAll(JSON.stringify(document, null, indent), PATHS, sizes)
      assert.equal(result.rest, JSON.stringify(rest))
      assert.deepEqual(
        result.records.map(({ path, text }) => [path, text]),
        expected.map(({ path, text }) => [path, text]),
      )
    }),
    { numRuns },
  )
})

/** The expected result from the parsed value: removes records and replaces dropped members with null. */
function expectedRest(value: unknown, path: string, inRecord: boolean, records: Read['records']): unknown {
  if (Array.isArray(value)) {
    if (inRecord || !PATHS.records.includes(path))
      return value.map((element) => expectedRest(element, path, inRecord, records))
    for (const element of value) {
      const text = JSON.stringify(expectedRest(element, path, true, records))
      records.push({ path, text, line: 0 })
    }
    return []
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const inner = path === '' ? name : `${path}.${name}`
      return [name, PATHS.dropped.includes(inner) ? null : expectedRest(member, inner, inRecord, records)]
    }),
  )
}
