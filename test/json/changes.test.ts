// Tests the comparison of two objects with example cases, and against a brute-force comparison of generated objects.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Changes, compareObjects } from '../../src/json/changes.ts'
import { normalizeDecimal } from '../../src/json/exact-number.ts'
import { JsonNode } from '../../src/json/json-node.ts'
import { sizes } from '../sizes.ts'
import { JsonTexts } from '../support/json-texts.ts'
import { nestedArrays, objectWithMembers } from '../support/write-requests.ts'

const RUNS = sizes.json_changes

const compare = (old: string, now: string, limit = 1000): Promise<Changes> =>
  compareObjects(JsonNode.of(old), JsonNode.of(now), limit)

/** Formats a change: + added, - removed, ~ changed, > moved, with its path and old path. */
function brief({ changes }: Changes): string[] {
  const signs = { added: '+', removed: '-', changed: '~', moved: '>' }
  return changes.map(
    ({ kind, path, old_path }) => `${signs[kind]}${path}${old_path === null ? '' : ` < ${old_path}`}`,
  )
}

const CASES: [name: string, old: string, now: string, changes: string[], parameters: number][] = [
  ['empty objects', '{}', '{}', [], 0],
  ['the order of names', '{"a":1,"b":{"c":2,"d":3}}', '{"b":{"d":3,"c":2},"a":1}', [], 3],
  ['a scalar', '{"a":1,"b":2}', '{"a":1,"b":3}', ['~b'], 2],
  ['null is a value', '{"a":null,"b":null}', '{"b":0,"c":null}', ['~b', '+c', '-a'], 3],
  ['a member of a member', '{"prompt":{"system":"x"}}', '{"prompt":{"system":"y"}}', ['~prompt.system'], 1],
  [
    'names that need quotes',
    '{}',
    '{"x.y":{"a-b":1,"":2,"1":3,"ä":4,"\\"":5}}',
    ['+["x.y"].a-b', '+["x.y"][""]', '+["x.y"]["1"]', '+["x.y"]["ä"]', '+["x.y"]["\\""]'],
    5,
  ],
  [
    'names of Object.prototype',
    '{"__proto__":{"a":1}}',
    '{"__proto__":{"a":2},"constructor":1}',
    ['~__proto__.a', '+constructor'],
    2,
  ],
  ['the same name escaped', '{"\\u0061":1}', '{"a":1}', [], 1],
  ['the same string escaped', String.raw`{"a":"\u0041\/","b":"\ud800"}`, '{"a":"A/","b":"\\uD800"}', [], 2],
  ['the same number', '{"a":1,"b":1e2,"c":-0,"d":0.10}', '{"a":1.0,"b":100,"c":0e5,"d":1E-1}', [], 4],
  ['numbers that are equal as doubles', '{"a":9007199254740993}', '{"a":9007199254740992}', ['~a'], 1],
  ['numbers beyond doubles', '{"a":1e400,"b":1e-400}', '{"a":1e401,"b":0}', ['~a', '~b'], 2],
  ['a number and a string', '{"a":1}', '{"a":"1"}', ['~a'], 1],
  ['a container against a scalar is one change', '{"a":{"b":1,"c":2}}', '{"a":1}', ['~a'], 1],
  ['an object against a list is one change', '{"a":{"b":1}}', '{"a":[1]}', ['~a'], 1],
  ['empty containers are leaves', '{"a":{},"b":[],"c":{}}', '{"a":[],"b":[]}', ['~a', '-c'], 3],
  ['an empty container that is filled', '{"a":{},"b":[1]}', '{"a":{"x":1},"b":[]}', ['+a.x', '-b[0]'], 2],
  ['added and removed leaves', '{"a":{"b":[1,{}]}}', '{"c":{"d":2}}', ['+c.d', '-a.b[0]', '-a.b[1]'], 3],
  ['a list by position', '{"a":[1,2,3]}', '{"a":[1,3]}', ['~a[1]', '-a[2]'], 3],
  [
    'a list by id',
    '{"a":[{"id":1,"v":1},{"id":2,"v":2}]}',
    '{"a":[{"id":2.0,"v":2}]}',
    ['-a[0].id', '-a[0].v'],
    4,
  ],
  [
    'a list by name, with old indexes',
    '{"a":[{"name":"x","v":1}]}',
    '{"a":[{"name":"w"},{"v":2,"name":"x"}]}',
    ['+a[0].name', '~a[1].v < a[0].v'],
    3,
  ],
  [
    'a list by role',
    '{"a":[{"role":"user","c":1},{"role":"system","c":2}]}',
    '{"a":[{"role":"system","c":3},{"role":"user","c":1}]}',
    ['>a[0] < a[1]', '~a[0].c < a[1].c'],
    4,
  ],
  [
    'id before name',
    '{"a":[{"id":1,"name":"x"},{"id":2,"name":"y"}]}',
    '{"a":[{"id":1,"name":"y"},{"id":2,"name":"x"}]}',
    ['~a[0].name', '~a[1].name'],
    4,
  ],
  [
    'a list with duplicate names is matched by role',
    '{"a":[{"id":1,"name":"x"},{"id":1,"name":"y"}]}',
    '{"a":[{"id":1,"name":"y"}]}',
    ['-a[0].id', '-a[0].name'],
    4,
  ],
  [
    'a list with duplicate roles is matched by position',
    '{"a":[{"role":"user"},{"role":"user"}]}',
    '{"a":[{"role":"user"}]}',
    ['-a[1].role'],
    2,
  ],
  ['an id on one side only', '{"a":[{"id":1}]}', '{"a":[{"v":1}]}', ['+a[0].v', '-a[0].id'], 2],
  ['the id 1 and the id "1"', '{"a":[{"id":1}]}', '{"a":[{"id":"1"}]}', ['+a[0].id', '-a[0].id'], 2],
  ['a list of objects and others', '{"a":[{"id":1},2]}', '{"a":[2,{"id":1}]}', ['~a[0]', '~a[1]'], 2],
  [
    'an element that moved over many others',
    `{"a":[${ids(1, 2, 3, 4)}]}`,
    `{"a":[${ids(4, 1, 2, 3)}]}`,
    ['>a[0] < a[3]'],
    4,
  ],
  [
    'a moved, a removed and an added element',
    `{"a":[${ids(1, 2, 3)}]}`,
    `{"a":[${ids(3, 5, 1)}]}`,
    ['>a[0] < a[2]', '+a[1].id', '-a[1].id'],
    4,
  ],
]

function ids(...numbers: number[]): string {
  return numbers.map((id) => `{"id":${id}}`).join(',')
}

describe('compareObjects reports', () => {
  for (const [name, oldText, newText, expected, parameters] of CASES) {
    test(name, async () => {
      const comparison = await compare(oldText, newText)
      assert.deepEqual(brief(comparison), expected)
      assert.equal(comparison.change_count, expected.length)
      assert.equal(comparison.parameter_count, parameters)
    })
  }
})

test('returns the exact text of values and omits missing ones', async () => {
  const oldText = String.raw`{"a":1.0,"b":{"c":[ ],"z":"\u0041"},"d":null}`.replace('[ ]', '[]')
  const { changes } = await compare(oldText, '{"a":1.00000000000000000001,"b":1e400,"e":-0}')
  assert.deepEqual(
    changes.map(({ path, old, new: now }) => [path, old, now]),
    [
      ['a', '1.0', '1.00000000000000000001'],
      ['b', String.raw`{"c":[],"z":"\u0041"}`, '1e400'],
      ['e', undefined, '-0'],
      ['d', 'null', undefined],
    ],
  )
  assert.ok(changes[2] && !('old' in changes[2]) && changes[3] && !('new' in changes[3]))
})

describe('line counts', () => {
  const LINES: [name: string, old: string, now: string, lines: object | null][] = [
    ['not of short strings', '"a"', '"b"', null],
    ['not where one side is no string', '1', '"a\\nb"', null],
    ['of strings with several lines', '"a\\nb\\nc"', '"a\\nx\\ny\\nc"', { added: 2, removed: 1 }],
    ['of a long line', `"${'x'.repeat(81)}"`, '"y"', { added: 1, removed: 1 }],
    ['with the line feed at the end', '"a\\nb"', '"a\\nb\\n"', { added: 1, removed: 1 }],
    ['of a string that was empty', '""', '"a\\nb\\n"', { added: 2, removed: 0 }],
  ]
  for (const [name, oldText, newText, lines] of LINES) {
    test(name, async () => {
      assert.deepEqual((await compare(`{"a":${oldText}}`, `{"a":${newText}}`)).changes[0]?.lines, lines)
    })
  }

  test('counts lines of added and removed strings', async () => {
    const { changes } = await compare('{"a":"1\\n2"}', '{"b":"1\\n2\\n3"}')
    assert.deepEqual(
      changes.map(({ lines }) => lines),
      [
        { added: 3, removed: 0 },
        { added: 0, removed: 2 },
      ],
    )
  })

  test('finds the smallest number of changed lines', async () => {
    const line = fc.constantFrom('a', 'b', 'c')
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 2 }),
        fc.array(line, { minLength: 2 }),
        async (oldText, now) => {
          const texts = [oldText, now].map((lines) => JSON.stringify({ a: `${lines.join('\n')}\n` }))
          const { changes } = await compare(texts[0] as string, texts[1] as string)
          const stayed = longestCommon(oldText, now)
          const expected = { added: now.length - stayed, removed: oldText.length - stayed }
          assert.deepEqual(changes[0]?.lines ?? { added: 0, removed: 0 }, expected)
        },
      ),
      { numRuns: RUNS },
    )
  })

  test('counts all lines of large texts with little in common', async () => {
    const text = (letter: string, count: number) =>
      JSON.stringify({ a: Array.from({ length: count }, (_, index) => `${letter}${index}`).join('\n') })
    for (const count of [5000, 50_000]) {
      const { changes } = await compare(text('a', count), text('b', count))
      assert.deepEqual(changes[0]?.lines, { added: count, removed: count })
    }
  })
})

/** The textbook algorithm for the longest common subsequence. */
function longestCommon<Item>(a: Item[], b: Item[]): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const item of a) {
    const nextRow = [0]
    for (const [index, element] of b.entries()) {
      const best = Math.max(row[index + 1] as number, nextRow[index] as number)
      nextRow.push(item === element ? (row[index] as number) + 1 : best)
    }
    row = nextRow
  }
  return row.at(-1) as number
}

describe('large inputs', () => {
  test('compares deep, wide and long values', async () => {
    const deep = `{"a":${nestedArrays(127)}}`
    assert.deepEqual(brief(await compare(deep, '{}')), [`-a${'[0]'.repeat(126)}`])
    const crowded = await compare(objectWithMembers(10_000), objectWithMembers(9_999))
    assert.deepEqual([crowded.parameter_count, brief(crowded)], [10_000, ['-m9999']])
    const list = (value: number) => `{"a":[${`${value},`.repeat(50_000)}0]}`
    const { parameter_count, change_count, changes } = await compare(list(1), list(2), 7)
    assert.deepEqual([parameter_count, change_count, changes.length], [50_001, 50_000, 7])
    const numbers = Array.from({ length: 30_000 }, (_, index) => index)
    const reversed = await compare(`{"a":[${ids(...numbers)}]}`, `{"a":[${ids(...numbers.reverse())}]}`)
    assert.equal(reversed.change_count, 30_000)
  })

  test('limits the total length of listed paths', async () => {
    const comparison = await compare(`{"${'x'.repeat(600_000)}":[${'1,'.repeat(5000)}1]}`, '{}')
    assert.equal(comparison.change_count, 5001)
    assert.equal(comparison.changes.length, 2)
  })

  test('yields to the event loop', async () => {
    let turns = 0
    const countTurns = () => {
      turns += 1
      timer = setImmediate(countTurns)
    }
    let timer = setImmediate(countTurns)
    const list = `{"a":[${'1,'.repeat(500_000)}1]}`
    await compare(list, '{}', 1)
    clearImmediate(timer)
    assert.ok(turns > 3, String(turns))
  })
})

/** All leaves by path, from JSON.parse, with lists by position. */
function bruteForce(
  old: unknown,
  now: unknown,
  path: string,
  found: { all: string[]; changes: string[] },
): void {
  const names = (value: unknown) => (isContainer(value) ? Object.keys(value) : [])
  const bothOpen = isContainer(old) && isContainer(now) && Array.isArray(old) === Array.isArray(now)
  const oneOpen = (old === undefined && isContainer(now)) || (now === undefined && isContainer(old))
  const inside = new Set([...names(now), ...names(old)])
  if ((bothOpen || oneOpen) && inside.size > 0) {
    for (const name of inside) {
      const member = (value: unknown) =>
        isContainer(value) && Object.hasOwn(value, name) ? value[name] : undefined
      const step = Array.isArray(now ?? old) ? `[${name}]` : `.${name}`
      bruteForce(member(old), member(now), `${path}${step}`, found)
    }
    return
  }
  found.all.push(path)
  if (JSON.stringify(old) === JSON.stringify(now)) return
  found.changes.push(`${old === undefined ? '+' : now === undefined ? '-' : '~'}${path.slice(1)}`)
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

test('finds the same changes as a brute-force comparison', async () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(0, 1, 'a', 'b', null, true) },
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 3 }),
    object: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
  }))
  const object = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value)
  await fc.assert(
    fc.asyncProperty(object, object, async (oldText, now) => {
      const comparison = await compare(JSON.stringify(oldText), JSON.stringify(now))
      const expected = { all: [] as string[], changes: [] as string[] }
      if (Object.keys({ ...oldText, ...now }).length > 0) bruteForce(oldText, now, '', expected)
      assert.deepEqual(brief(comparison).sort(), expected.changes.sort())
      assert.equal(comparison.parameter_count, expected.all.length)
    }),
    { numRuns: RUNS * 4 },
  )
})

test('reports the smallest number of moved elements', async () => {
  const order = fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7])
  await fc.assert(
    fc.asyncProperty(order, order, async (oldText, now) => {
      const { changes } = await compare(`{"a":[${ids(...oldText)}]}`, `{"a":[${ids(...now)}]}`)
      const indexIn = (path: string | null) => Number(/^a\[(\d)\]/.exec(path ?? '')?.[1])
      const changesOfKind = (wantedKind: string) =>
        changes.filter(({ kind, path }) => kind === wantedKind && path !== 'a')
      assert.deepEqual(
        changesOfKind('added').map(({ path }) => now[indexIn(path)]),
        now.filter((id) => !oldText.includes(id)),
      )
      assert.deepEqual(
        changesOfKind('removed').map(({ path }) => oldText[indexIn(path)]),
        oldText.filter((id) => !now.includes(id)),
      )
      const moved = changesOfKind('moved').map(({ path }) => now[indexIn(path)])
      assert.deepEqual(
        changesOfKind('moved').map(({ old_path }) => oldText[indexIn(old_path)]),
        moved,
      )
      const isStayed = (id: number) => oldText.includes(id) && now.includes(id) && !moved.includes(id)
      assert.deepEqual(now.filter(isStayed), oldText.filter(isStayed))
      assert.equal(now.filter(isStayed).length, longestCommon(oldText, now))
    }),
    { numRuns: RUNS },
  )
})

test('finds no changes between equal texts, and only removals against an empty object', async () => {
  const texts = new JsonTexts(1)
  for (let run = 0; run < RUNS; run += 1) {
    const text = `{"a":${texts.value(4).compact}}`
    assert.equal((await compare(text, text)).change_count, 0, text)
    const gone = await compare(text, '{}', 1e6)
    assert.ok(gone.changes.every(({ kind }) => kind === 'removed'))
    assert.equal(gone.change_count, gone.parameter_count)
  }
})

test('normalizes equal numbers to the same decimal', () => {
  const SAME = [
    ['1', '1.0', '1e0', '10e-1', '0.01E+2', '1e-00', '100000000000000000000e-20'],
    ['0', '-0', '0.000', '0e99999999999999999999', '-0.0e-5'],
    ['-15', '-1.5e1', '-0.15E+2', '-1500e-2'],
    ['1e99999999999999999999', '10e99999999999999999998', '0.1e100000000000000000000'],
    ['9007199254740993', '9007199254740993.0', '9.007199254740993e15'],
    ['9007199254740992', '9.007199254740992e15'],
  ]
  const forms = SAME.map((numbers) => new Set(numbers.map(normalizeDecimal)))
  for (const form of forms) assert.equal(form.size, 1, [...form].join(' '))
  assert.equal(new Set(forms.flatMap((form) => [...form])).size, SAME.length)
  const long = '0'.repeat(100_000)
  assert.equal(normalizeDecimal(`1.${long}1${long}`), normalizeDecimal(`1.${long}1`))
  assert.notEqual(normalizeDecimal(`1e1${long}`), normalizeDecimal(`1e2${long}`))
})
