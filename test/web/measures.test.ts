// Units, decimals and changes of measures.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BaselineStatistics } from '../../client/client.ts'
import {
  columnDecimals,
  costMeasure,
  type EvaluatorStatistics,
  evaluatorMeasure,
  evaluatorUnit,
  formatChange,
  formatDifference,
  formatMeasure,
  formatWithUnit,
  latencyMeasure,
} from '../../web/src/results/measures.ts'

function statistics(mean: number | null, pass_rate: number | null, base?: BaselineStatistics) {
  return { higher_is_better: true, mean, pass_rate, base } satisfies EvaluatorStatistics
}

function paired(
  delta: number | null,
  outcome: BaselineStatistics['outcome'],
  mean = 0.5,
): BaselineStatistics {
  const rows = { regressed: 1, improved: 2, unclear: 0 }
  return { n: 10, mean, delta, interval: null, outcome, detectable: null, ...rows }
}

test('verdicts have a pass rate, numbers have a mean even with a threshold, and labels have no measure', () => {
  const verdicts = evaluatorMeasure(statistics(0.941, 0.941, paired(0.027, 'tied')))
  assert.deepEqual(verdicts, {
    value: 0.941,
    unit: 'percent',
    higherIsBetter: true,
    change: { direction: 'tied', difference: 0.027 },
  })
  const numbers = evaluatorMeasure(statistics(0.889, 0.95))
  assert.deepEqual(numbers, { value: 0.889, unit: 'score', higherIsBetter: true, change: undefined })
  assert.equal(evaluatorMeasure(statistics(0.889, null))?.unit, 'score')
  assert.equal(evaluatorMeasure(statistics(null, null)), undefined)
})

test('the evaluations of one evaluator have the same unit', () => {
  const scores = [statistics(1, 1), statistics(0.7, 0.9), statistics(null, null)]
  assert.equal(evaluatorUnit(scores), 'score')
  assert.equal(evaluatorUnit(scores.slice(0, 1)), 'percent')
  assert.equal(evaluatorUnit(scores.slice(2)), undefined)
  assert.equal(evaluatorMeasure(statistics(1, 1), 'score')?.unit, 'score')
})

test('without an outcome of the pairs there is no change', () => {
  assert.equal(evaluatorMeasure(statistics(0.5, 0.5, paired(null, null)))?.change, undefined)
})

test('the change of cost is relative per row, and the change of the median latency has only a direction', () => {
  assert.deepEqual(costMeasure({ total: 0.18, base: paired(-0.0001, 'better', 0.001) }), {
    value: 0.18,
    unit: 'dollars',
    higherIsBetter: false,
    change: { direction: 'better', difference: -0.1 },
  })
  assert.equal(costMeasure({ total: 0.18, base: paired(0.001, 'worse', 0) })?.change, undefined)
  assert.equal(costMeasure({ total: null }), undefined)
  assert.deepEqual(latencyMeasure({ p50: 1.18, base: paired(-0.2, 'better') })?.change, {
    direction: 'better',
    difference: undefined,
  })
  assert.equal(latencyMeasure({ p50: null }), undefined)
})

test('values have the fixed decimals of their unit', () => {
  assert.equal(formatMeasure('percent', 0.941), '94.1')
  assert.equal(formatMeasure('percent', 1), '100.0')
  assert.equal(formatMeasure('score', 0.25), '0.250')
  assert.equal(formatMeasure('seconds', 1.176), '1.18')
  assert.equal(formatMeasure('score', -0.0001, 3), '0.000')
  assert.equal(formatWithUnit('percent', 0.701), '70.1 %')
  assert.equal(formatWithUnit('seconds', 0.489), '0.49 s')
  assert.equal(formatWithUnit('dollars', 0.0041), '$0.0041')
  assert.equal(formatWithUnit('score', -1234.56), '−1,234.6')
})

test('the decimals of a column show the digits of its largest value and none as zero', () => {
  assert.equal(columnDecimals('percent', [0.5, 1]), 1)
  assert.equal(columnDecimals('score', [0.2, 0.9]), 3)
  assert.equal(columnDecimals('score', [34.2, 1500]), 1)
  assert.equal(columnDecimals('score', [34_000]), 0)
  assert.equal(columnDecimals('score', [0.00021]), 5)
  assert.equal(columnDecimals('dollars', [0.035, 0.191]), 2)
  assert.equal(columnDecimals('dollars', [0.0026, 0.0019, 0]), 4)
  assert.equal(columnDecimals('dollars', [12.5, 0.004]), 3)
  assert.equal(columnDecimals('dollars', []), 2)
})

test('changes have a sign; the change of cost is in percent', () => {
  assert.equal(formatChange('percent', -0.2231), '−22.3')
  assert.equal(formatChange('score', 0.049), '+0.049')
  assert.equal(formatChange('dollars', -0.0801), '−8.0 %')
  assert.equal(formatChange('dollars', 4.414), '+441 %')
  assert.equal(formatChange('percent', 0), '0.0')
  assert.equal(formatDifference('score', -0.113), '0.113')
})
