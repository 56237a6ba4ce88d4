// Names in column headers, row numbers, decimals and suggested thresholds, without a browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitName } from '../../web/src/format/split-name.ts'
import { changeFilter, changeLabel } from '../../web/src/pages/evaluation/filters/state-filter.ts'
import { DEFAULT_DISPLAY, formatFixed, padDecimals } from '../../web/src/results/evaluator-display.ts'
import type { EvaluatorSummary } from '../../web/src/results/result-states.ts'
import { hasOnlyZeroAndOne } from '../../web/src/results/result-states.ts'
import { findByNumber } from '../../web/src/table/find-number.ts'

test('long names are split where they differ from similar names, at a word if one is near', () => {
  const names = [
    'evaluator_with_long_name_01',
    'evaluator_with_long_name_02',
    'answer_correct',
    'faithfulness_of_quotes',
  ]
  const split = (name: string) => splitName(name, names)
  assert.deepEqual(split('evaluator_with_long_name_01'), ['evaluator_with_long_name_', '01'])
  assert.deepEqual(split('answer_correct'), ['answer_correct', ''])
  assert.deepEqual(split('faithfulness_of_quotes'), ['faithfulness_of_quotes', ''])
  assert.deepEqual(splitName('Support answer r5: shorter', ['Support answer r4: longer']), [
    'Support answer ',
    'r5: shorter',
  ])
  // A name that another one continues still has an end.
  assert.deepEqual(splitName('similarity_to_answer', ['similarity_to_answer_long']), [
    'similarity_to_',
    'answer',
  ])
  for (const name of names) assert.equal(split(name).join(''), name)
})

test('a row is found by its number, also if rows before it were deleted', async () => {
  const positions = [0, 1, 4, 5, 9, 10, 11]
  let reads = 0
  const find = (number: number) =>
    findByNumber(number, async (index) => {
      reads++
      const position = positions[index]
      return position === undefined ? undefined : { position }
    })
  for (const position of positions) assert.equal((await find(position + 1))?.position, position)
  for (const number of [3, 4, 7, 13, 1_000_000]) assert.equal(await find(number), undefined)
  reads = 0
  await find(2)
  assert.equal(reads, 1)
})

test('scores have the decimals of their column, and more if they would look like another score', () => {
  const display = { ...DEFAULT_DISPLAY, decimals: 2 }
  assert.equal(formatFixed(0.5, display), '0.50')
  assert.equal(formatFixed(0.123, display), '0.123')
  assert.equal(formatFixed(0.000_01, display), '1.0e-5')
  assert.equal(formatFixed(0, display), '0.00')
  assert.equal(formatFixed(1, { ...display, decimals: 0 }), '1')
  assert.equal(formatFixed(0.5, { ...display, decimals: 0 }), '0.5')
  // Where there is room, all digits are shown, with the same zeros.
  for (const [digits, text] of [
    ['0', '0.00'],
    ['0.5', '0.50'],
    ['12', '12.00'],
    ['0.123456789', '0.123456789'],
    ['1e-7', '1e-7'],
    ['12345678901234567890', '12345678901234567890'],
  ] as const) {
    assert.equal(padDecimals(digits, display), text)
  }
  // The user chose the decimals.
  assert.equal(formatFixed(0.123, { ...display, isRounded: true }), '0.12')
})

test('only an evaluator whose scores are all 0 or 1, without a threshold, has binary scores', () => {
  const bins = Array.from({ length: 20 }, (_, index) => ({
    from: index / 20,
    to: (index + 1) / 20,
    count: 0,
  }))
  const withCounts = (counts: Record<number, number>) =>
    bins.map((bin, index) => ({ ...bin, count: counts[index] ?? 0 }))
  const evaluator = (changes: Partial<EvaluatorSummary>) =>
    ({
      n: 10,
      threshold: null,
      passed: null,
      minimum: 0,
      maximum: 1,
      mean: 0.7,
      bins: withCounts({ 0: 3, 19: 7 }),
      ...changes,
    }) as EvaluatorSummary
  assert.equal(hasOnlyZeroAndOne(evaluator({})), true)
  assert.equal(hasOnlyZeroAndOne(evaluator({ threshold: 1 })), false)
  // Verdicts are not numbers.
  assert.equal(hasOnlyZeroAndOne(evaluator({ passed: 7 })), false)
  assert.equal(hasOnlyZeroAndOne(evaluator({ bins: withCounts({ 0: 3, 10: 1, 19: 6 }) })), false)
  assert.equal(hasOnlyZeroAndOne(evaluator({ mean: 0.698 })), false)
  assert.equal(hasOnlyZeroAndOne(evaluator({ maximum: 5 })), false)
})

test('the filter of changed rows follows the direction of the evaluator, and its label names the change', () => {
  const accuracy = { name: 'accuracy', higher_is_better: true }
  const toxicity = { name: 'toxicity', higher_is_better: false }
  assert.deepEqual(changeFilter(accuracy, 'regressed'), { 'delta.accuracy': 'lt.0' })
  assert.deepEqual(changeFilter(toxicity, 'regressed'), { 'delta.toxicity': 'gt.0' })
  const label = (name: string, value: string) => changeLabel([name, value], [accuracy, toxicity])
  assert.equal(label('delta.accuracy', 'gt.0'), 'accuracy improved')
  assert.equal(label('delta.toxicity', 'gt.0'), 'toxicity regressed')
  assert.equal(label('delta.accuracy', 'gt.0.5'), undefined)
  assert.equal(label('latency', 'lt.0'), undefined)
})
