// Ranks as ranges: how often they claim an order by chance, and how often they find a true one, by simulation.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRandom } from '../../../bench/data.ts'
import type { RankedScores } from '../../../src/store/statistics/pair-test.ts'
import { findFrontier, findRanks, pairConfidence } from '../../../src/store/statistics/ranks.ts'
import { testOptions } from '../../support/options.ts'

const MODELS = 10
const SAMPLES = testOptions.profile === 'full' ? 4000 : 600
/** Four standard errors of a share of 5 % above it. */
const MOST_FALSE_ORDERS = 0.05 + 4 * Math.sqrt((0.05 * 0.95) / SAMPLES)

type Random = () => number

/** The scores of all models for one row, given the probability that it passes, or how difficult it is. */
type ScoreRow = (random: Random, difficulty: number) => number

const passWith =
  (toProbability: (difficulty: number) => number): ScoreRow =>
  (random, difficulty) =>
    Number(random() < toProbability(difficulty))

function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

function simulate(random: Random, rows: number, repeats: number, models: ScoreRow[]): RankedScores[] {
  const scores = models.map(() => new Float64Array(rows))
  for (let row = 0; row < rows; row += 1) {
    const difficulty = random()
    for (const [model, scoreRow] of models.entries()) {
      let sum = 0
      for (let repeat = 0; repeat < repeats; repeat += 1) sum += scoreRow(random, difficulty)
      ;(scores[model] as Float64Array)[row] = sum / repeats
    }
  }
  return scores.map((means) => ({ means, hasRepeats: repeats > 1 }))
}

const hasOrder = (ranks: [number, number][]) => ranks.some(([best]) => best > 1)

/** The share of leaderboards for which `holds`. */
function shareOf(
  { rows, repeats = 1, areVerdicts = true }: { rows: number; repeats?: number; areVerdicts?: boolean },
  models: ScoreRow[],
  holds: (ranks: [number, number][]) => boolean,
): number {
  const random = createRandom(testOptions.seed)
  let count = 0
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const scores = simulate(random, rows, repeats, models)
    if (holds(findRanks(scores, areVerdicts, true))) count += 1
  }
  return count / SAMPLES
}

describe('ten equal models', () => {
  const equal = (scoreRow: ScoreRow) => Array.from({ length: MODELS }, () => scoreRow)
  const cases: [string, Parameters<typeof shareOf>[0], ScoreRow][] = [
    ['verdicts of 20 rows', { rows: 20 }, passWith(() => 0.7)],
    ['verdicts of 300 rows', { rows: 300 }, passWith((difficulty) => difficulty)],
    ['rare failures', { rows: 100 }, passWith(() => 0.97)],
    ['verdicts with repeats', { rows: 50, repeats: 3 }, passWith((difficulty) => difficulty)],
    ['numbers', { rows: 50, areVerdicts: false }, (random, difficulty) => difficulty + gaussian(random)],
  ]
  for (const [name, shape, scoreRow] of cases) {
    test(`${name}: at most 5 % of the leaderboards claim an order`, () => {
      const share = shareOf(shape, equal(scoreRow), hasOrder)
      assert.ok(share <= MOST_FALSE_ORDERS, String(share))
    })
  }
})

test('a model that passes 10 points more of 300 rows is alone in first place in at least 80 %', () => {
  // Most rows are easy or hard for all models. Of the others, the best one passes twice as many.
  const contested = (probability: number) =>
    passWith((difficulty) => (difficulty < 0.65 ? 0.995 : difficulty < 0.85 ? probability : 0.005))
  const models = [contested(0.99), ...Array.from({ length: MODELS - 1 }, () => contested(0.49))]
  const isAlone = ([first]: [number, number][]) => first?.[1] === 1
  const share = shareOf({ rows: 300 }, models, isAlone)
  assert.ok(share >= 0.8, String(share))
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
