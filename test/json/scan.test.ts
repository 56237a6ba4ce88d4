import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { JsonProblem } from '../../src/json/problem.ts'
import { type ScanLimits, scan } from '../../src/json/scan.ts'
import { sizes } from '../sizes.ts'
import { anyCharacter } from '../support/characters.ts'
import { EXACT_VALUES } from '../support/corpus.ts'

const numRuns = sizes.json_values
const LIMITS: ScanLimits = { depth: 8, members: 40 }
const run = (text: string | Buffer, limits = LIMITS) => scan(Buffer.from(text as string), limits)

/** The problem of a text, or undefined. */
function problemOf(text: string | Buffer, limits = LIMITS): JsonProblem | undefined {
  try {
    run(text, limits)
    return undefined
  } catch (error) {
    assert.ok(error instanceof JsonProblem, String(error))
    return error
  }
}

const VALID = [
  ...EXACT_VALUES,
  ...['0', '-1', '0.0', '0e0', '1e+2', '1E-07', '123.456e78', '-0.0', 'true', 'false', '[[],[{}]]', '{"":0}'],
  ...[
    '"\u007f\u0080\u2028\uffff😀"',
    String.raw`"\"\\\/\b\f\n\r\t\u12aF\uDC00"`,
    '{"a":{"a":[{"a":1}]},"b":2}',
  ],
  ...[
    '"é"',
    '"\u{10ffff}"',
    '"\ud7ff\ue000"',
    '{"é":"ü","x":[1,"ß"]}',
    '"looooooooooong prose, then \\n an escape"',
  ],
]
test('preserves all tokens that RFC 8259 allows', () => {
  for (const text of VALID) {
    assert.equal(run(text).text, text)
    assert.equal(run(` \t\n\r${text}\r\n\t `).text, text)
    assert.equal(run(`[ ${text} ,\n${text} ]`).text, `[${text},${text}]`)
  }
})

const INVALID = [
  ...[
    '[1,]',
    '[,1]',
    '[1,,2]',
    '[1 2]',
    '[',
    ']',
    '[1',
    '[1,',
    '[1}',
    '{]',
    '{"a":1]',
    '{',
    '}',
    '{,}',
    '{"a"}',
  ],
  ...[
    '{"a":}',
    '{"a":1,}',
    '{"a":1,,"b":2}',
    '{"a" 1}',
    '{"a"::1}',
    '{"a":1 "b":2}',
    "{'a':1}",
    '{a:1}',
    '{1:1}',
  ],
  ...[
    '{"a":1',
    '{"a":',
    '{"a"',
    '{"a',
    '{null:1}',
    '{[]:1}',
    '[]]',
    '{}}',
    '1 2',
    'true false',
    '""""',
    '1,',
    ':',
  ],
  ...[
    '01',
    '-01',
    '00',
    '-',
    '+1',
    '.5',
    '-.5',
    '1.',
    '1.e1',
    '1e',
    '1e+',
    '1E-',
    '1.5.2',
    '0x1',
    '1_0',
    '1a',
    '- 1',
  ],
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    'True',
    'tru',
    'truE',
    'nul',
    'nulll',
    'undefined',
    'fals',
    't',
    "'a'",
    '`a`',
  ],
  ...[
    '"',
    '"a',
    '"\\',
    '"\\"',
    '"\\x"',
    '"\\a"',
    '"\\u"',
    '"\\u12"',
    '"\\u123',
    '"\\u123g"',
    '"\\U1234"',
    '"\\\n"',
  ],
  ...[
    '"\n"',
    '"\t"',
    '"\u0000"',
    '"\u001f"',
    '"12345678901234567890\u0001"',
    '{"a\n":1}',
    '\u000b1',
    '1\u000c',
  ],
  ...[
    '',
    ' ',
    '\n\t\r ',
    '\ufeff1',
    '1\ufeff',
    '\u00a01',
    '1\u00a0',
    '1\u2028',
    '1\0',
    '/**/1',
    '1//',
    '"a"x',
    'é',
  ],
]
test('rejects text that RFC 8259 does not allow as a syntax error', () => {
  for (const text of INVALID) {
    assert.equal(problemOf(text)?.fault, 'syntax', JSON.stringify(text))
    assert.equal(problemOf(` ${text}\n`)?.fault, 'syntax', JSON.stringify(text))
  }
})

test('rejects a raw control character anywhere in a long string, but accepts spaces', () => {
  for (let byte = 0; byte <= 0x20; byte += 1) {
    for (let padding = 20; padding < 28; padding += 1) {
      const text = `"${'a'.repeat(padding)}${String.fromCharCode(byte)}${'b'.repeat(20)}"`
      assert.equal(problemOf(text)?.offset, byte < 0x20 ? padding + 1 : undefined)
    }
  }
})

test('rejects invalid UTF-8 with its position', () => {
  const bad = [
    ...['80', 'bf', 'c0af', 'c1bf', 'c3', 'c328', 'e08080', 'e09fbf', 'e282', 'e28228', 'eda080', 'edbfbf'],
    ...[
      'f0808080',
      'f08fbfbf',
      'f09f98',
      'f48fbf',
      'f4908080',
      'f5808080',
      'f888808080',
      'fe',
      'ff',
      'c3a9bf',
    ],
  ]
  for (const hex of bad) {
    const bytes = Buffer.concat([Buffer.from('[\n"ü'), Buffer.from(hex, 'hex'), Buffer.from('"]')])
    const problem = problemOf(bytes)
    assert.match(problem?.message ?? '', /UTF-8/, hex)
    assert.deepEqual([problem?.offset, problem?.line], [hex === 'c3a9bf' ? 7 : 5, 1], hex)
  }
  assert.match(problemOf(Buffer.from('2261c3', 'hex'))?.message ?? '', /UTF-8/)
})

const MESSAGES: [text: string, message: string, offset: number, line: number][] = [
  ['"a\nb"', String.raw`A string has a raw control character; write it as \u000a.`, 2, 0],
  ['\ufeff[]', 'A byte order mark is not valid JSON. Remove it.', 0, 0],
  ['[\n\n NaN]', 'NaN is not valid JSON.', 4, 2],
  ['{} \n x', 'The text continues after the end of the value.', 5, 1],
  ['\n \n', 'There is no value.', 3, 2],
  ['[ "abc', 'A string is not closed.', 2, 0],
  ['[1 ,\r\n "\\x"]', 'A string has an invalid escape sequence.', 8, 1],
  ['["\\u12x4"]', 'An escape with \\u needs four hexadecimal digits.', 2, 0],
  ['[012]', 'A number has a leading zero.', 1, 0],
  ['[1.]', 'A digit is missing in a number.', 3, 0],
  ['{"a" : 1 "b"', 'A comma or } is missing.', 9, 0],
  ['{"a" 1}', 'A colon is missing after a name.', 5, 0],
  ['{"a":1, }', 'A member is missing after a comma.', 8, 0],
  ['{a:1}', 'A name in double quotes is expected.', 1, 0],
  ['[1,', 'The text ends where a value is expected.', 3, 0],
  ['[1', 'The text ends before all brackets are closed.', 2, 0],
]
test('reports the message, byte offset and line of a syntax error', () => {
  for (const [text, message, offset, line] of MESSAGES) {
    const problem = problemOf(text)
    assert.deepEqual([problem?.message, problem?.offset, problem?.line], [message, offset, line])
    assert.equal(problem?.name, 'JsonProblem')
  }
})

test('returns the members of the outermost object by unescaped name, in order, with their exact text', () => {
  const text = String.raw` { "10" : 1.0, "9":[ 1 , "x y" ] ,"__proto__": {"a" :1}, "\u0061\/" : "\ud800" }`
  const expected = [
    ['10', '1.0'],
    ['9', '[1,"x y"]'],
    ['__proto__', '{"a":1}'],
    ['a/', String.raw`"\ud800"`],
  ]
  assert.deepEqual([...(run(text).members ?? [])], expected)
  const wideText = text.replace('"9"', '"ü😀"').replace('x y', 'x ß')
  expected[1] = ['ü😀', '[1,"x ß"]']
  assert.deepEqual([...(run(wideText).members ?? [])], expected)
  assert.deepEqual(run(' {} ').members, new Map())
  for (const input of ['[{"a":1}]', '"{"', '1']) assert.equal(run(input).members, undefined)
})

test('rejects duplicate names after unescaping, with their pointer', () => {
  const memberTexts = Array.from({ length: 30 }, (_, index) => `"k${index}":0`)
  const cases: [text: string, pointer: string, offset: number][] = [
    ['{"a":1,"a":2}', '/a', 7],
    ['{ "a" : 1 , "b":2,\n"a":2}', '/a', 19],
    [String.raw`{"a":1,"\u0061":2}`, '/a', 7],
    [String.raw`{"\u0061":1,"a":2}`, '/a', 12],
    [String.raw`{"😀":1,"\ud83d\ude00":2}`, '/😀', 10],
    ['{"":1,"":2}', '/', 6],
    ['{"__proto__":1,"__proto__":2}', '/__proto__', 15],
    ['{"a/b~c":[0, {"x":{},"y":[ ],"x":1}]}', '/a~1b~0c/1/x', 29],
    [`{${memberTexts.join(',')},"k3":1}`, '/k3', memberTexts.join(',').length + 2],
    [`{${memberTexts.join(',')},"k29":1}`, '/k29', memberTexts.join(',').length + 2],
    [
      `{${memberTexts.slice(0, 16).join(',')},"k15":1}`,
      '/k15',
      memberTexts.slice(0, 16).join(',').length + 2,
    ],
    [`{"outputs":[{"value":{"é":1, "a":2 ,"a":3}}]}`, '/outputs/0/value/a', 37],
  ]
  for (const [text, pointer, offset] of cases) {
    const problem = problemOf(text)
    assert.deepEqual(
      [problem?.fault, problem?.pointer, problem?.offset],
      ['duplicate', pointer, offset],
      text,
    )
  }
})

test('accepts the same name in different objects, and names with equal hashes', () => {
  const names = ['Aa', 'BB'].flatMap((a) => ['Aa', 'BB'].flatMap((b) => [`${a}${b}Aa`, `${a}${b}BB`]))
  const pairs = [...names, 'a', 'A', 'aa', 'é', 'e\u0301'].map((name) => `"${name}": 1`)
  assert.equal(run(`{${pairs.join(' , ')}}`).members?.size, 13)
  assert.equal(run('[{"a":{"a":1}},{"a":1},{"b":{"a":1},"a":2}]').members, undefined)
})

test('limits the number of members of an object', () => {
  const members = (count: number) =>
    Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join(',')
  for (const limit of [1, 15, 16, 17, 40]) {
    const limits = { depth: 8, members: limit }
    assert.equal(run(`{${members(limit)}}`, limits).members?.size, limit)
    const problem = problemOf(`{"o":[{${members(limit + 1)}}]}`, limits)
    assert.deepEqual([problem?.fault, problem?.pointer], ['members', '/o/0'])
    assert.equal(problem?.offset, `{"o":[{${members(limit)},`.length)
  }
})

test('limits the nesting depth', () => {
  for (const depth of [1, 2, 1000]) {
    const limits = { depth, members: 4 }
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    assert.equal(run(nested(depth), limits).text, nested(depth))
    const problem = problemOf(nested(depth + 1), limits)
    assert.deepEqual(
      [problem?.fault, problem?.offset, problem?.pointer],
      ['depth', depth, '/0'.repeat(depth)],
    )
  }
  assert.equal(problemOf('{"a":[0,{"b":1}]}', { depth: 2, members: 4 })?.pointer, '/a/1')
  assert.equal(run('[[],[],{"a":{}},1]', { depth: 3, members: 4 }).text, '[[],[],{"a":{}},1]')
})

const white = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 })
const scalar = fc.oneof(
  fc.constantFrom(
    ...EXACT_VALUES.filter((text) => !/^[[{]/.test(text)),
    '"a  b"',
    '"é"',
    '"😀 "',
    'true',
    '-1.5e-7',
  ),
  fc.string({ unit: anyCharacter }).map((text) => JSON.stringify(text)),
)
const name = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 4 }), fc.constantFrom('a', '1', '__proto__'))
type Pair = readonly [loose: string, compact: string]
/** A text with white space between tokens, and the same text without. */
const { value, object } = fc.letrec<{ value: Pair; object: readonly [...Pair, [string, string][]] }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.tuple(white, scalar, white).map(([a, text, b]): Pair => [a + text + b, text]),
      fc.tuple(white, fc.array(tie('value'), { maxLength: 4 }), white).map(([a, parts, b]): Pair => {
        const inner = parts.length === 0 ? a : parts.map(([loose]) => loose).join(',')
        return [`${a}[${inner}]${b}`, `[${parts.map(([, text]) => text).join(',')}]`]
      }),
      tie('object').map(([loose, text]): Pair => [loose, text]),
    ),
    object: fc
      .tuple(
        white,
        fc.uniqueArray(fc.tuple(name, tie('value'), white), { selector: ([key]) => key, maxLength: 20 }),
      )
      .map(([a, parts]) => {
        const loose = parts.map(([key, [text], b]) => `${b}${JSON.stringify(key)}${a}:${text}`).join(',')
        const compact = parts.map(([key, [, text]]) => `${JSON.stringify(key)}:${text}`).join(',')
        const members = parts.map(([key, [, text]]): [string, string] => [key, text])
        return [`${a}{${loose || a}}${a}`, `{${compact}}`, members] as const
      }),
  }),
)

test('removes only the white space outside of strings', () => {
  const check = ([loose, compact]: Pair) => assert.equal(run(loose).text, compact)
  fc.assert(fc.property(value, check), { numRuns })
})

test('returns the exact texts of the members', () => {
  const check = ([loose, , members]: readonly [...Pair, [string, string][]]) =>
    assert.deepEqual([...(run(loose).members ?? [])], members)
  fc.assert(fc.property(object, check), { numRuns: Math.ceil(numRuns / 4) })
})

/** A removed range, and the bytes that replace it. */
const BYTES = Buffer.from('{}[],:"\\/ \n\t-+.019eEuxatrufalsn\u0000\u001f\u007fé😀', 'utf8')
const edit = fc.record({
  at: fc.nat(),
  cut: fc.nat({ max: 2 }),
  bytes: fc.array(fc.oneof(fc.constantFrom(...BYTES), fc.nat({ max: 255 })), { maxLength: 2 }),
})

function isParsable(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
    return true
  } catch {
    return false
  }
}

test('accepts the same texts as JSON.parse, including damaged ones', () => {
  const limits = { depth: 100, members: 100 }
  const check = ([loose]: Pair, edits: { at: number; cut: number; bytes: number[] }[]) => {
    const bytes = [...Buffer.from(loose)]
    for (const { at, cut, bytes: put } of edits) bytes.splice(at % (bytes.length + 1), cut, ...put)
    const damaged = Buffer.from(bytes)
    const fault = problemOf(damaged, limits)?.fault
    // A duplicate name ends the scan and hides later errors.
    if (fault !== 'duplicate')
      assert.equal(fault === undefined, isParsable(damaged), damaged.toString('latin1'))
  }
  fc.assert(fc.property(value, fc.array(edit, { maxLength: 3 }), check), { numRuns: numRuns * 2 })
})
