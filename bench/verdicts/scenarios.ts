// Simulated evaluations: how the scores of a row come about in a baseline and a candidate.

export type Random = () => number

/** Probabilities that a row passes in the baseline and in the candidate. */
export interface VerdictScenario {
  name: string
  /** The true change of the pass rate. */
  change: number
  draw(random: Random): [baseline: number, candidate: number]
}

/** Rows that pass in the baseline and fail in the candidate, among others. */
function broken(share: number, others: [number, number]): VerdictScenario['draw'] {
  return (random) => (random() < share ? [1, 0] : others)
}

/** Pass probabilities of rows that often always pass or always fail. */
function arcsine(random: Random): number {
  return Math.sin((Math.PI / 2) * random()) ** 2
}

function pick(random: Random, options: [share: number, rates: [number, number]][]): [number, number] {
  let chance = random()
  for (const [share, rates] of options) {
    if (chance < share) return rates
    chance -= share
  }
  return [1, 1]
}

export const VERDICT_SCENARIOS: VerdictScenario[] = [
  { name: 'all rows flaky at 50 %', change: 0, draw: () => [0.5, 0.5] },
  { name: 'all rows flaky at 90 %', change: 0, draw: () => [0.9, 0.9] },
  {
    name: 'pass probabilities differ between rows',
    change: 0,
    draw: (random) => {
      const rate = arcsine(random)
      return [rate, rate]
    },
  },
  { name: 'pass probabilities change', change: 0, draw: (random) => [arcsine(random), arcsine(random)] },
  { name: '10 % flaky rows', change: 0, draw: (random) => pick(random, [[0.1, [0.5, 0.5]]]) },
  {
    name: '10 % break, 10 % are repaired',
    change: 0,
    draw: (random) =>
      pick(random, [
        [0.1, [1, 0]],
        [0.1, [0, 1]],
      ]),
  },
  {
    name: '10 % break, all others improve slightly',
    change: 0,
    draw: broken(0.1, [0.5, 0.5 + 0.1 / 0.9]),
  },
  { name: 'all rows from 50 % to 30 %', change: -0.2, draw: () => [0.5, 0.3] },
  { name: 'all rows from 95 % to 90 %', change: -0.05, draw: () => [0.95, 0.9] },
  { name: 'all rows from 100 % to 95 %', change: -0.05, draw: () => [1, 0.95] },
  { name: '5 % break', change: -0.05, draw: broken(0.05, [1, 1]) },
  { name: '5 % break, others flaky at 90 %', change: -0.05, draw: broken(0.05, [0.9, 0.9]) },
  { name: '2 % break, others flaky at 95 %', change: -0.02, draw: broken(0.02, [0.95, 0.95]) },
  { name: '30 % break', change: -0.3, draw: broken(0.3, [1, 1]) },
  { name: '10 % from 100 % to 50 %', change: -0.05, draw: (random) => pick(random, [[0.1, [1, 0.5]]]) },
  {
    name: '5 % break, 20 % flaky rows',
    change: -0.05,
    draw: (random) =>
      pick(random, [
        [0.05, [1, 0]],
        [0.2, [0.5, 0.5]],
      ]),
  },
  {
    name: '30 % break, 10 % are repaired',
    change: -0.2,
    draw: (random) =>
      pick(random, [
        [0.3, [1, 0]],
        [0.1, [0, 1]],
      ]),
  },
]

/**
 * A share of the rows breaks, and rows with a pass probability of their own make the application or the judge random: without
 * repeats a share of `flips` of all rows differs between two equal evaluations.
 */
export function lossScenario(loss: number, flips: number): VerdictScenario {
  // Two draws of a row with such a probability differ in a quarter of the cases.
  const random = 4 * flips
  return {
    name: `${100 * loss} % break, ${100 * flips} % of the rows flip`,
    change: 0 - loss,
    draw: (next) => {
      const chance = next()
      if (chance < loss) return [1, 0]
      if (chance >= loss + random) return [1, 1]
      const rate = arcsine(next)
      return [rate, rate]
    },
  }
}

/** Pass probabilities of the rows of one evaluation. */
export interface RateScenario {
  name: string
  rate: number
  draw(random: Random): number
}

export const RATE_SCENARIOS: RateScenario[] = [
  { name: 'all rows flaky at 50 %', rate: 0.5, draw: () => 0.5 },
  { name: 'all rows flaky at 98 %', rate: 0.98, draw: () => 0.98 },
  { name: 'pass probabilities differ between rows', rate: 0.5, draw: arcsine },
  { name: 'half of the rows always pass', rate: 0.5, draw: (random) => Number(random() < 0.5) },
  { name: '2 % always fail', rate: 0.98, draw: (random) => Number(random() >= 0.02) },
  { name: '10 % flaky rows', rate: 0.95, draw: (random) => (random() < 0.1 ? 0.5 : 1) },
  {
    name: '10 % always fail, others pass at 95 %',
    rate: 0.855,
    draw: (random) => (random() < 0.1 ? 0 : 0.95),
  },
  {
    name: '3 % always fail, others pass at 98 %',
    rate: 0.97 * 0.98,
    draw: (random) => (random() < 0.03 ? 0 : 0.98),
  },
]

/** Numbers per row. */
export interface NumberScenario {
  name: string
  change: number
  draw(random: Random): [baseline: number, candidate: number]
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** A score of a judge: often exactly 0 or 1. */
function score(random: Random, zero: number, one: number): number {
  const chance = random()
  return chance < zero ? 0 : chance < zero + one ? 1 : arcsine(random)
}

/** A logarithmic standard deviation that is usual for costs and latencies. */
const LOG_DEVIATION = 0.8
const LOG_MEAN = Math.exp(LOG_DEVIATION ** 2 / 2)

function logNormal(random: Random): number {
  return Math.exp(LOG_DEVIATION * normal(random))
}

export const NUMBER_SCENARIOS: Record<'normal' | 'scores' | 'skewed', NumberScenario[]> = {
  normal: [{ name: 'normal differences', change: 0, draw: (random) => [0, normal(random)] }],
  scores: [
    {
      name: 'scores with 30 % zeros and 40 % ones',
      change: 0,
      draw: (random) => [score(random, 0.3, 0.4), score(random, 0.3, 0.4)],
    },
    {
      name: 'scores of 1, 5 % of which become 0',
      // The mean of the baseline is 0.95.
      change: -0.05 * 0.95,
      draw: (random) => {
        const baseline = random() < 0.9 ? 1 : arcsine(random)
        return [baseline, random() < 0.05 ? 0 : baseline]
      },
    },
  ],
  skewed: [
    {
      name: 'latency, independent, log-normal',
      change: 0,
      draw: (random) => [logNormal(random), logNormal(random)],
    },
    {
      name: 'latency, one and a half times as long',
      change: 0.5 * LOG_MEAN,
      draw: (random) => [logNormal(random), 1.5 * logNormal(random)],
    },
    {
      name: 'cost that increases by a log-normal amount',
      change: LOG_MEAN,
      draw: (random) => [0, logNormal(random)],
    },
  ],
}

/** Equal numbers per row, or 1 to 10 for `mixed`. */
export type Repeats = number | 'mixed'

const MAX_MIXED = 10

export function drawRepeats(random: Random, repeats: Repeats): number {
  return repeats === 'mixed' ? 1 + Math.floor(MAX_MIXED * random()) : repeats
}

/** The number of passes. */
export function drawPasses(random: Random, count: number, rate: number): number {
  if (rate === 0 || rate === 1) return rate * count
  let passes = 0
  for (let repeat = 0; repeat < count; repeat += 1) if (random() < rate) passes += 1
  return passes
}
