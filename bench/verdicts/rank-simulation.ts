// Simulated leaderboards of ten models: how often ranks claim an order of equal models, and how often the best one is found.
import type { RankedScores } from '../../src/store/statistics/pair-test.ts'
import { findRanks } from '../../src/store/statistics/ranks.ts'
import type { Simulation } from './simulation.ts'

const MODELS = 10

type Random = Simulation['random']

/** The score of a model for one row, given how difficult the row is for all models: from 0 to 1. */
type ScoreRow = (random: Random, difficulty: number) => number

interface RankScenario {
  name: string
  rows: number
  repeats?: number
  areVerdicts?: boolean
  models: ScoreRow[]
}

const equal = (scoreRow: ScoreRow) => Array.from({ length: MODELS }, () => scoreRow)

const passWith =
  (toProbability: (difficulty: number) => number): ScoreRow =>
  (random, difficulty) =>
    Number(random() < toProbability(difficulty))

function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

export const EQUAL_MODELS: RankScenario[] = [
  { name: 'verdicts of 20 rows', rows: 20, models: equal(passWith(() => 0.7)) },
  { name: 'verdicts of 300 rows', rows: 300, models: equal(passWith((difficulty) => difficulty)) },
  { name: 'rare failures', rows: 100, models: equal(passWith(() => 0.97)) },
  {
    name: 'verdicts with repeats',
    rows: 50,
    repeats: 3,
    models: equal(passWith((difficulty) => difficulty)),
  },
  {
    name: 'numbers',
    rows: 50,
    areVerdicts: false,
    models: equal((random, difficulty) => difficulty + gaussian(random)),
  },
]

const oneBetter = (best: ScoreRow, others: ScoreRow) => [best, ...equal(others).slice(1)]
/** Most rows are easy or hard for all models. */
const contested = (share: number, probability: number) => {
  const easy = 0.85 - share
  return passWith((difficulty) =>
    difficulty < easy ? 0.995 : difficulty < easy + share ? probability : 0.005,
  )
}

/** The best model passes 10 points more. */
export const ONE_BETTER: RankScenario = {
  name: 'models differ on a fifth of the rows',
  rows: 300,
  models: oneBetter(contested(0.2, 0.99), contested(0.2, 0.49)),
}

/** The power is lower the more the failures of the models are independent of each other. */
export const ONE_BETTER_INDEPENDENT: RankScenario[] = [
  {
    name: 'independent failures, 90 and 80 %',
    rows: 300,
    models: oneBetter(
      passWith(() => 0.9),
      passWith(() => 0.8),
    ),
  },
  {
    name: 'independent failures, 80 and 70 %',
    rows: 300,
    models: oneBetter(
      passWith(() => 0.8),
      passWith(() => 0.7),
    ),
  },
]

function simulateScores(random: Random, { rows, repeats = 1, models }: RankScenario): RankedScores[] {
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

/** The shares of leaderboards that claim any order, and that have the first model alone in first place. */
export function simulateRanks(
  { random, samples }: Omit<Simulation, 'n'>,
  scenario: RankScenario,
): { ordered: number; alone: number } {
  let [ordered, alone] = [0, 0]
  for (let sample = 0; sample < samples; sample += 1) {
    const ranks = findRanks(simulateScores(random, scenario), scenario.areVerdicts ?? true, true)
    if (ranks.some(([best]) => best > 1)) ordered += 1
    if (ranks[0]?.[1] === 1) alone += 1
  }
  return { ordered: ordered / samples, alone: alone / samples }
}
