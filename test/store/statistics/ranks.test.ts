// Ranks as ranges: how often they claim an order by chance, and how often they find a true one, by simulation.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRandom } from '../../../bench/data.ts'
import { EQUAL_MODELS, ONE_BETTER, simulateRanks } from '../../../bench/verdicts/rank-simulation.ts'
import { findFrontier, findRanks, pairConfidence } from '../../../src/store/statistics/ranks.ts'
import { testOptions } from '../../support/options.ts'

const SAMPLES = testOptions.profile === 'full' ? 4000 : 600
/** Four standard errors of a share of 5 % above it. */
const MOST_FALSE_ORDERS = 0.05 + 4 * Math.sqrt((0.05 * 0.95) / SAMPLES)

const simulate = (scenario: Parameters<typeof simulateRanks>[1]) =>
  simulateRanks({ random: createRandom(testOptions.seed), samples: SAMPLES }, scenario)

describe('ten equal models', () => {
  for (const scenario of EQUAL_MODELS) {
    test(`${scenario.name}: at most 5 % of the leaderboards claim an order`, () => {
      const { ordered } = simulate(scenario)
      assert.ok(ordered <= MOST_FALSE_ORDERS, String(ordered))
    })
  }
})

test('a model that passes 10 points more of 300 rows is alone in first place in at least 80 %', () => {
  const { alone } = simulate(ONE_BETTER)
  assert.ok(alone >= 0.8, String(alone))
})

test('a rank counts the models that are certainly better, and those that are certainly worse', () => {
  const ofPasses = (passes: number) => ({
    means: Float64Array.from({ length: 100 }, (_, row) => Number(row < passes)),
    hasRepeats: false,
  })
  const ranks = (higherIsBetter: boolean) => findRanks([90, 88, 50, 10].map(ofPasses), true, higherIsBetter)
  assert.deepEqual(ranks(true), [
    [1, 2],
    [1, 2],
    [3, 3],
    [4, 4],
  ])
  assert.deepEqual(ranks(false), [
    [3, 4],
    [3, 4],
    [2, 2],
    [1, 1],
  ])
  assert.deepEqual(findRanks([ofPasses(1), ofPasses(1)], true, true), [
    [1, 2],
    [1, 2],
  ])
  assert.deepEqual([2, 3, 10].map(pairConfidence), [0.95, 1 - 0.05 / 3, 1 - 0.05 / 45])
})

test('the frontier has no model that another one beats in score or in the measure without a loss in the other', () => {
  assert.deepEqual(findFrontier([0.9, 0.8, 0.8, 0.7, 0.9], [3, 1, 2, null, 3], true), [
    true,
    true,
    false,
    null,
    true,
  ])
  assert.deepEqual(findFrontier([0.9, 0.8, 0.8, 0.7, 0.9], [3, 1, 2, 5, 3], false), [
    false,
    true,
    false,
    true,
    false,
  ])
})
