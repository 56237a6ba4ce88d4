// What differs between two texts: nothing of either is lost, and nothing takes long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { type Block, differences, type Line, sameness } from '../../web/src/diff/differences.ts'
import { rowsOf, type Unfolded } from '../../web/src/diff/rows.ts'

const ALL: Unfolded = { first: Number.POSITIVE_INFINITY, last: 0 }
const textOf = ({ pieces }: Line) => pieces.map(({ text }) => text).join('')
const marked = ({ pieces }: Line) => pieces.filter(({ isChanged }) => isChanged).map(({ text }) => text)
const changed = (blocks: Block[]) => blocks.filter((block) => 'removed' in block)

/** The lines of one side, put together again. */
function side(blocks: Block[], name: 'removed' | 'added'): string[] {
  return blocks.flatMap((block) =>
    'same' in block ? block.same.map(({ text }) => text) : block[name].map(textOf),
  )
}

const words = fc.constantFrom(
  'a',
  'b',
  'the',
  'heron',
  ' ',
  '  ',
  '\n',
  '\n\n',
  ';',
  '\r\n',
  '\u202e',
  '𝄞',
  '\0',
)
const texts = fc.array(words, { maxLength: 30 }).map((parts) => parts.join(''))

test('both texts can be read out of their differences, line by line', async () => {
  await fc.assert(
    fc.asyncProperty(texts, texts, async (old, text) => {
      const { blocks, removed, added } = differences(old, text)
      const lines = (one: string) =>
        one
          .replace(/\n$/, '')
          .split('\n')
          .slice(one === '' ? 1 : 0)
      assert.deepEqual(side(blocks, 'removed'), lines(old))
      assert.deepEqual(side(blocks, 'added'), lines(text))
      assert.equal(removed + added === 0, isDeepStrictEqual(lines(old), lines(text)))
      for (const isSplit of [true, false]) {
        const rows = rowsOf(blocks, isSplit, new Map(blocks.keys().map((block) => [block, ALL])))
        const numbers = (name: 'old' | 'new') =>
          rows.flatMap((row) => (row.kind === 'folded' || !row[name] ? [] : [row[name].number]))
        assert.deepEqual(
          numbers('old'),
          Array.from(lines(old), (_, index) => index + 1),
        )
        assert.deepEqual(
          numbers('new'),
          Array.from(lines(text), (_, index) => index + 1),
        )
      }
    }),
    { numRuns: 200 },
  )
})

test('words are marked inside of the lines that changed', async () => {
  const { blocks } = differences('one\nthe river is wide\nthree', 'one\nthe river was very wide\nthree')
  const [change] = changed(blocks)
  assert.ok(change && 'removed' in change)
  assert.deepEqual(change.removed.flatMap(marked), ['is'])
  assert.deepEqual(change.added.flatMap(marked), ['was very '])
  assert.deepEqual([change.removed[0]?.number, change.added[0]?.number], [2, 2])
})

test('texts with hardly a word in common are changed as a whole', async () => {
  const { blocks, areWordsMarked } = differences('Canberra', 'The capital is Sydney.')
  assert.deepEqual(
    changed(blocks).flatMap((block) => ('removed' in block ? block.added.flatMap(marked) : [])),
    [],
  )
  assert.equal(areWordsMarked, true)
})

// Looked at to the end they would take many minutes.
test('texts that are too different are given up, and that is said', { timeout: 60_000 }, () => {
  const noise = (seed: number, separator: string) =>
    Array.from({ length: 40_000 }, (_, index) => ((index * seed) % 99_991).toString(36)).join(separator)
  for (const separator of [' ', '\n']) {
    const { areWordsMarked, removed, added } = differences(noise(7919, separator), noise(104_729, separator))
    assert.equal(areWordsMarked, false)
    assert.ok(removed > 0 && added > 0)
  }
})

test('it is said where texts are identical, or differ in white space alone', () => {
  assert.equal(sameness('a b', 'a b'), 'identical')
  assert.equal(sameness('a b\n', 'a  b'), 'white space')
  assert.equal(sameness('a b', 'a c'), 'different')
})

test('long stretches that are the same are folded, but for the lines beside a change', async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)
  const { blocks } = differences(lines.join('\n'), lines.with(14, 'other').join('\n'))
  const folds = (unfolded: [number, Unfolded][]) =>
    rowsOf(blocks, true, new Map(unfolded)).flatMap((row) => (row.kind === 'folded' ? [row.lines] : []))
  assert.deepEqual(folds([]), [11, 12])
  assert.deepEqual(folds([[0, { first: 0, last: 5 }]]), [6, 12])
  // Three that are left are shown as well.
  assert.deepEqual(folds([[0, { first: 4, last: 4 }]]), [12])
  assert.equal(rowsOf(blocks, true, new Map([0, 2].map((block) => [block, ALL]))).length, 30)
})

test('white space that does not count marks no line and no word, and both texts stay as they were', async () => {
  const [old, text] = ['one\n  two\nthe  river is wide\nfour', 'one\ntwo \nthe river was wide\nfour']
  const { blocks, removed, added } = differences(old, text, true)
  assert.deepEqual([removed, added], [1, 1])
  assert.deepEqual(
    changed(blocks)
      .flatMap((block) => ('removed' in block ? [...block.removed, ...block.added] : []))
      .map(marked),
    [['is'], ['was']],
  )
  const rows = rowsOf(blocks, true, new Map())
  const read = (name: 'old' | 'new') =>
    rows.map((row) => (row.kind === 'folded' || !row[name] ? '' : textOf(row[name]))).join('\n')
  assert.deepEqual([read('old'), read('new')], [old, text])
})
