// Text diffs: no text is lost, and large texts are compared in limited time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { diffRows, type UnfoldedLines } from '../../web/src/diff/diff-rows.ts'
import { type Block, diffTexts, type Line, textEquality } from '../../web/src/diff/differences.ts'

const ALL: UnfoldedLines = { first: Number.POSITIVE_INFINITY, last: 0 }
const textOf = ({ pieces }: Line) => pieces.map(({ text }) => text).join('')
const marked = ({ pieces }: Line) => pieces.filter(({ isMarked }) => isMarked).map(({ text }) => text)
const changedBlocks = (blocks: Block[]) => blocks.filter((block) => 'removed' in block)

/** Reconstructs the lines of one side. */
function side(blocks: Block[], name: 'removed' | 'added'): string[] {
  return blocks.flatMap((block) =>
    'commonLines' in block ? block.commonLines.map(({ newText }) => newText) : block[name].map(textOf),
  )
}

const tokens = fc.constantFrom(
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
const texts = fc.array(tokens, { maxLength: 30 }).map((parts) => parts.join(''))

test('contains every line of both texts', async () => {
  await fc.assert(
    fc.asyncProperty(texts, texts, async (old, text) => {
      const { blocks, removedCount, addedCount } = diffTexts(old, text)
      const lines = (source: string) =>
        source
          .replace(/\n$/, '')
          .split('\n')
          .slice(source === '' ? 1 : 0)
      assert.deepEqual(side(blocks, 'removed'), lines(old))
      assert.deepEqual(side(blocks, 'added'), lines(text))
      assert.equal(removedCount + addedCount === 0, isDeepStrictEqual(lines(old), lines(text)))
      for (const isSplit of [true, false]) {
        const rows = diffRows(blocks, isSplit, new Map(blocks.keys().map((block) => [block, ALL])))
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

test('marks the changed words inside changed lines', async () => {
  const { blocks } = diffTexts('one\nthe river is wide\nthree', 'one\nthe river was very wide\nthree')
  const [change] = changedBlocks(blocks)
  assert.ok(change && 'removed' in change)
  assert.deepEqual(change.removed.flatMap(marked), ['is'])
  assert.deepEqual(change.added.flatMap(marked), ['was very '])
  assert.deepEqual([change.removed[0]?.number, change.added[0]?.number], [2, 2])
})

test('marks no words if the texts have almost no words in common', async () => {
  const { blocks, isWordDiffComplete } = diffTexts('Canberra', 'The capital is Sydney.')
  assert.deepEqual(
    changedBlocks(blocks).flatMap((block) => ('removed' in block ? block.added.flatMap(marked) : [])),
    [],
  )
  assert.equal(isWordDiffComplete, true)
})

// An exhaustive comparison would take many minutes.
test('stops comparing words of texts that are too different, and reports it', { timeout: 60_000 }, () => {
  const noise = (seed: number, separator: string) =>
    Array.from({ length: 40_000 }, (_, index) => ((index * seed) % 99_991).toString(36)).join(separator)
  for (const separator of [' ', '\n']) {
    const { isWordDiffComplete, removedCount, addedCount } = diffTexts(
      noise(7919, separator),
      noise(104_729, separator),
    )
    assert.equal(isWordDiffComplete, false)
    assert.ok(removedCount > 0 && addedCount > 0)
  }
})

test('detects identical texts and texts that differ only in whitespace', () => {
  assert.equal(textEquality('a b', 'a b'), 'identical')
  assert.equal(textEquality('a b\n', 'a  b'), 'whitespace')
  assert.equal(textEquality('a b', 'a c'), 'different')
})

test('folds long unchanged blocks, except the lines next to a change', async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)
  const { blocks } = diffTexts(lines.join('\n'), lines.with(14, 'other').join('\n'))
  const folds = (unfolded: [number, UnfoldedLines][]) =>
    diffRows(blocks, true, new Map(unfolded)).flatMap((row) => (row.kind === 'folded' ? [row.lines] : []))
  assert.deepEqual(folds([]), [11, 12])
  assert.deepEqual(folds([[0, { first: 0, last: 5 }]]), [6, 12])
  // Three remaining lines are not worth folding.
  assert.deepEqual(folds([[0, { first: 4, last: 4 }]]), [12])
  assert.equal(diffRows(blocks, true, new Map([0, 2].map((block) => [block, ALL]))).length, 30)
})

test('marks no whitespace changes when whitespace is ignored, and keeps both texts', async () => {
  const [old, text] = ['one\n  two\nthe  river is wide\nfour', 'one\ntwo \nthe river was wide\nfour']
  const { blocks, removedCount, addedCount } = diffTexts(old, text, true)
  assert.deepEqual([removedCount, addedCount], [1, 1])
  assert.deepEqual(
    changedBlocks(blocks)
      .flatMap((block) => ('removed' in block ? [...block.removed, ...block.added] : []))
      .map(marked),
    [['is'], ['was']],
  )
  const rows = diffRows(blocks, true, new Map())
  const columnText = (name: 'old' | 'new') =>
    rows.map((row) => (row.kind === 'folded' || !row[name] ? '' : textOf(row[name]))).join('\n')
  assert.deepEqual([columnText('old'), columnText('new')], [old, text])
})
