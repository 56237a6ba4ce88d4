// The corrected pass rate: worked examples, and the coverage of its interval.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../../bench/data.ts'
import {
  JUDGED_SIZES,
  judgeScenarios,
  simulateCorrectedRate,
} from '../../../bench/verdicts/corrected-simulation.ts'
import { proportionInterval } from '../../../src/store/statistics/beta-distribution.ts'
import { correctRate } from '../../../src/store/statistics/corrected-rate.ts'
import { testOptions } from '../../support/options.ts'

const JUDGED = { both_pass: 49, only_evaluator: 6, only_with: 2, both_fail: 7 }

test('weights the judged pass rates by the shares of all rows', () => {
  const result = correctRate(120, 105, JUDGED)
  assert.equal(result?.corrected, Number((0.875 * (49 / 55) + 0.125 * (2 / 9)).toPrecision(12)))
  // 0.875 · (0.7612, 0.9627) + 0.125 · (0.0143, 0.6586), from scipy.stats.binomtest(…).proportion_ci(0.975).
  assert.deepEqual(
    result?.interval.map((bound) => bound.toFixed(6)),
    ['0.667828', '0.924707'],
  )
})

test('uses one stratum alone if the judge passes or fails all rows', () => {
  const judged = { both_pass: 30, only_evaluator: 10, only_with: 0, both_fail: 0 }
  const bounds = proportionInterval(30, 40, 0.975).map((bound) => Number(bound.toPrecision(12)))
  assert.deepEqual(correctRate(90, 90, judged), { corrected: 0.75, interval: bounds })
  const failed = { both_pass: 0, only_evaluator: 0, only_with: 30, both_fail: 10 }
  assert.deepEqual(correctRate(90, 0, failed), { corrected: 0.75, interval: bounds })
})

test('is null below 30 judged rows, and if one verdict of the judge is never judged', () => {
  assert.equal(correctRate(120, 105, { ...JUDGED, both_pass: 14 }), null)
  assert.notEqual(correctRate(120, 105, { ...JUDGED, both_pass: 15 }), null)
  assert.equal(correctRate(120, 105, { ...JUDGED, only_with: 0, both_fail: 0 }), null)
})

test('contains the pass rate of people in at least 94 % of random samples, and has no bias', () => {
  const random = createRandom(testOptions.seed)
  const samples = testOptions.profile === 'full' ? 4000 : 150
  for (const size of JUDGED_SIZES)
    for (const scenario of judgeScenarios(size)) {
      const { coverage, bias } = simulateCorrectedRate(random, samples, scenario)
      const name = JSON.stringify(scenario)
      // Four standard errors of the simulation.
      assert.ok(coverage >= 0.95 - 4 * Math.sqrt((0.95 * 0.05) / samples), `${name}: ${coverage}`)
      assert.ok(Math.abs(bias) < 0.002 + 4 * Math.sqrt(0.25 / size[0] / samples), `${name}: ${bias}`)
    }
})
