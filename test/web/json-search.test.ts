// Long texts and JSON trees without a browser: nothing is lost, and the search is limited.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseExactly } from '../../src/json/exact-values.ts'
import { memberPath } from '../../web/src/content/json/members.ts'
import { hasMembers, searchJson } from '../../web/src/content/json/search.ts'
import { textChunks } from '../../web/src/content/text-chunks.ts'

test('divides a text into chunks at line breaks, and long lines into parts', () => {
  const long = 'word '.repeat(30_000)
  const text = `first\n\n${long}\nsecond\n${'line\n'.repeat(30_000)}end`
  const chunks = textChunks(text)
  assert.equal(chunks.map((chunk) => chunk.text).join(''), text)
  for (const [index, chunk] of chunks.entries()) {
    assert.ok(chunk.text.length <= 50_000)
    // Otherwise the page would show or copy a line break that the text does not have.
    const followsLineBreak = chunks[index - 1]?.text.endsWith('\n') ?? true
    if (!chunk.isPartOfLine) assert.ok(followsLineBreak, `chunk ${index}`)
  }
  assert.deepEqual(
    chunks.filter(({ isPartOfLine }) => isPartOfLine).map(({ text: part }) => part.length),
    [50_000, 50_000, 50_000, 1],
  )
  // A surrogate pair is not divided.
  const emoji = textChunks(`a${'😀'.repeat(30_000)}`)
  assert.ok(emoji.every((chunk) => chunk.text.isWellFormed()))
})

test('joins the chunks of any text to the same text', () => {
  const lines = fc.array(fc.nat({ max: 70_000 }), { maxLength: 6 })
  fc.assert(
    fc.property(lines, (lengths) => {
      const text = lengths.map((length) => 'ab '.repeat(length / 3)).join('\n')
      assert.equal(
        textChunks(text)
          .map((chunk) => chunk.text)
          .join(''),
        text,
      )
    }),
    { numRuns: 50 },
  )
})

const VALUE = parseExactly(
  '{"order":{"id":"LK-46018","items":[{"name":"Drift jacket","price":12345678901234567890},{"name":"tent","price":1.10}]},"Items":[]}',
)

test('finds names and values in order, and ignores the case', () => {
  assert.deepEqual(searchJson(VALUE, 'items').matches, [[0, 1], [1]])
  assert.deepEqual(searchJson(VALUE, 'DRIFT').matches, [[0, 1, 0, 0]])
  assert.deepEqual(searchJson(VALUE, '67890').matches, [[0, 1, 0, 1]])
  assert.deepEqual(searchJson(VALUE, '1.10').matches, [[0, 1, 1, 1]])
  assert.deepEqual(searchJson(VALUE, '.*(').matches, [])
  assert.deepEqual(searchJson(VALUE, ''), { matches: [], isComplete: true })
})

test('limits the number of matches and the depth', () => {
  const { matches, isComplete } = searchJson(
    Array.from({ length: 100_000 }, () => 'x'),
    'x',
  )
  assert.deepEqual([matches.length, isComplete], [1000, false])
  const deep = JSON.parse(`${'['.repeat(5000)}"x"${']'.repeat(5000)}`)
  assert.deepEqual(searchJson(deep, 'x'), { matches: [], isComplete: false })
  assert.ok(hasMembers(Array.from({ length: 30 }), 30))
  assert.ok(!hasMembers({ a: Array.from({ length: 28 }) }, 30))
})

test('writes paths like jq', () => {
  const path = (...steps: (string | number)[]) =>
    steps.reduce<string>(
      (parent, step) =>
        typeof step === 'string' ? memberPath(parent, step, 0) : memberPath(parent, undefined, step),
      '',
    )
  assert.equal(path('order', 'items', 0, 'unit price'), '.order.items[0]["unit price"]')
  assert.equal(path(3, '$ref'), '.[3]["$ref"]')
  assert.equal(path('a"b', 'ünit'), '.["a\\"b"]["ünit"]')
})
