// Tests the changed lines that assay diff prints.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatLineDiff } from '../../../src/cli/output/line-diff.ts'

test('changed lines have two lines of context, and distant changes are separated', () => {
  const oldText = 'a\nb\nc\nd\ne\nf\ng\nh'
  assert.deepEqual(formatLineDiff(oldText, oldText.replace('b', 'B').replace('h', 'H')), [
    ...[' a', '-b', '+B', ' c', ' d'],
    '@@',
    ...[' f', ' g', '-h', '+H'],
  ])
})

test('a difference in the final line feed is reported', () => {
  assert.deepEqual(formatLineDiff('a', 'a\n'), ['-a', '\\ No newline at end of file', '+a'])
})

test('control characters are replaced', () => {
  assert.deepEqual(formatLineDiff('a\r', 'a\u001b[2J'), ['-a\ufffd', '+a\ufffd[2J'])
})

test('texts without common lines are printed completely if they are long', () => {
  const numbers = Array.from({ length: 1500 }, (_, index) => String(index))
  const lines = formatLineDiff(numbers.join('\n'), numbers.map((number) => `x${number}`).join('\n'))
  assert.deepEqual(lines, [...numbers.map((line) => `-${line}`), ...numbers.map((line) => `+x${line}`)])
})
