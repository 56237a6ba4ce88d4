// Text diffs: no text is lost, and large texts are compared in limited time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { diffRows, type UnfoldedLines } from '../../web/src/diff/diff-rows.ts'
import { type Block, diffTexts, type Line, textEquality } from '../../web/src/diff/differences.ts'
import { jsonTextsOf } from '../../web/src/diff/json-texts.ts'

const ALL: UnfoldedLines = { first: Number.POSITIVE_INFINITY, last: 0 }
const textOf = ({ pieces }: Line) => pieces.map(({ text }) => text).join('')
const marked = ({ pieces }: Line) =>
  pieces.filter(({ change }) => change !== undefined).map(({ text }) => text)
const changedBlocks = (blocks: Block[]) => blocks.filter((block) => 'removed' in block)

/** The marked words of both texts. */
function changeOf(oldText: string, newText: string): { removed: string[]; added: string[] } {
  const { blocks } = diffTexts(oldText, newText)
  const words = (name: 'removed' | 'added') =>
    changedBlocks(blocks).flatMap((block) => block[name].flatMap(marked))
  return { removed: words('removed'), added: words('added') }
}

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
      for (const layout of ['columns', 'split', 'unified'] as const) {
        const rows = diffRows(blocks, layout, new Map(blocks.keys().map((block) => [block, ALL])))
        const numbers = (name: 'old' | 'new') =>
          rows.flatMap((row) => (row.kind === 'folded' ? [] : row[name].map(({ number }) => number)))
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
  assert.deepEqual(change.added.flatMap(marked), ['was very'])
  assert.deepEqual([change.removed[0]?.number, change.added[0]?.number], [2, 2])
})

test('marks no words if the texts have none in common, and reports it', () => {
  const { blocks, isComplete, hasCommonWords } = diffTexts('Canberra', 'The capital is Sydney.')
  assert.deepEqual(
    changedBlocks(blocks).flatMap(({ removed, added }) => [...removed, ...added].flatMap(marked)),
    [],
  )
  assert.deepEqual([isComplete, hasCommonWords], [true, false])
})

test('marks the words of short texts that have little in common', () => {
  const { removed, added } = changeOf(
    'The customer has 30 days from delivery; the tags are attached.',
    'You have 14 days from purchase. We only offer store credit.',
  )
  assert.deepEqual(removed, ['The customer has 30', 'delivery; the tags are attached'])
  assert.deepEqual(added, ['You have 14', 'purchase. We only offer store credit'])
})

test('compares words of languages without spaces, and of other scripts', () => {
  assert.deepEqual(changeOf('返品は三十日以内です', '返品は十四日以内です'), {
    removed: ['三'],
    added: ['四'],
  })
  assert.deepEqual(changeOf('Срок тридцать дней', 'Срок десять дней'), {
    removed: ['тридцать'],
    added: ['десять'],
  })
})

// The words repeat, and none of them occurs only once.
const LONG_LINE = Array.from({ length: 40_000 }, (_, index) => `w${(index * index) % 997}`).join(' ')

test('marks a changed word in a single line of 200 kB', () => {
  const middle = LONG_LINE.indexOf(' ', 150_000)
  const changed = `${LONG_LINE.slice(0, middle)} inserted${LONG_LINE.slice(middle)}`
  assert.deepEqual(changeOf(LONG_LINE, changed), { removed: [], added: ['inserted'] })
  const scattered = LONG_LINE.split(' ').map((word, index) =>
    index % 400 === 200 ? `changed${index}` : word,
  )
  const { removed, added } = changeOf(LONG_LINE, scattered.join(' '))
  assert.deepEqual([removed.length, added.length], [100, 100])
  assert.ok(added.every((text) => /^changed\d+$/.test(text)))
})

test('marks only the changed part of a long word', () => {
  const word = 'QUJD'.repeat(10_000)
  assert.deepEqual(changeOf(`${word}1${word}`, `${word}2${word}`), { removed: ['1'], added: ['2'] })
  // The first halves of the two surrogate pairs are equal.
  assert.deepEqual(changeOf(`${word}😀${word}`, `${word}😁${word}`), { removed: ['😀'], added: ['😁'] })
})

test('pairs paragraphs after a line break that both texts have', () => {
  const { blocks } = diffTexts('Dear Ana,\nhello\n\nThe river is wide', 'Hi,\n\nThe river was wide')
  const rows = diffRows(blocks, 'columns', new Map())
  assert.deepEqual(
    rows.map((row) => row.kind !== 'folded' && [row.old.map(textOf), row.new.map(textOf)]),
    [
      [['Dear Ana,', 'hello'], ['Hi,']],
      [[''], ['']],
      [['The river is wide'], ['The river was wide']],
    ],
  )
})

// An exhaustive comparison would take many minutes.
test('stops comparing words of texts that are too different, and reports it', { timeout: 60_000 }, () => {
  const noise = (seed: number, separator: string) =>
    Array.from({ length: 40_000 }, (_, index) => ((index * seed) % 99_991).toString(36)).join(separator)
  for (const separator of [' ', '\n']) {
    const { isComplete, removedCount, addedCount } = diffTexts(
      noise(7919, separator),
      noise(104_729, separator),
    )
    assert.equal(isComplete, false)
    assert.ok(removedCount > 0 && addedCount > 0)
  }
})

test('indents two JSON texts without changing a token, and detects a different order', () => {
  const oldText = '{"a": 1.10, "b":[12345678901234567890,{ }, "x , y"], "c":"\\u00e9"}'
  const newText = '{"b":[12345678901234567890,{},"x , y"],"c":"\\u00e9","a":1.10}'
  assert.deepEqual(jsonTextsOf(oldText, newText), {
    oldText:
      '{\n  "a": 1.10,\n  "b": [\n    12345678901234567890,\n    {},\n    "x , y"\n  ],\n  "c": "\\u00e9"\n}',
    newText:
      '{\n  "b": [\n    12345678901234567890,\n    {},\n    "x , y"\n  ],\n  "c": "\\u00e9",\n  "a": 1.10\n}',
    isOnlyOrderDifferent: true,
  })
  assert.equal(jsonTextsOf(oldText, newText.replace('1.10', '1.1 '))?.isOnlyOrderDifferent, false)
  assert.equal(jsonTextsOf('[1,2]', '[2,1]')?.isOnlyOrderDifferent, false)
  for (const other of ['"a"', '12', '{"a":}', 'text', '']) assert.equal(jsonTextsOf('{}', other), undefined)
  // Deep JSON is not longer than a few times its length.
  const deep = '['.repeat(20_000) + ']'.repeat(20_000)
  assert.ok((jsonTextsOf(deep, `${deep} `)?.oldText.length ?? 0) < 10_000_000)
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
    diffRows(blocks, 'split', new Map(unfolded)).flatMap((row) => (row.kind === 'folded' ? [row.lines] : []))
  assert.deepEqual(folds([]), [11, 12])
  assert.deepEqual(folds([[0, { first: 0, last: 5 }]]), [6, 12])
  // Three remaining lines are not worth folding.
  assert.deepEqual(folds([[0, { first: 4, last: 4 }]]), [12])
  assert.equal(diffRows(blocks, 'split', new Map([0, 2].map((block) => [block, ALL]))).length, 30)
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
  const rows = diffRows(blocks, 'split', new Map())
  const columnText = (name: 'old' | 'new') =>
    rows.flatMap((row) => (row.kind === 'folded' ? [] : row[name].map(textOf))).join('\n')
  assert.deepEqual([columnText('old'), columnText('new')], [old, text])
})
