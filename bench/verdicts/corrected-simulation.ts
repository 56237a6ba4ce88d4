// Coverage of the corrected pass rate: people judge a random sample of the rows that a judge has scored.
import type { VerdictCounts } from '../../src/store/statistics/agreement.ts'
import { correctRate } from '../../src/store/statistics/corrected-rate.ts'
import type { Random } from './scenarios.ts'

export interface JudgeScenario {
  /** The rows of the evaluation, and how many of them people judge. */
  rows: number
  judged: number
  /** The probability that people pass a row. */
  rate: number
  /** The probabilities that the judge passes a row that people fail, and fails a row that they pass. */
  falsePass: number
  falseFail: number
}

export const JUDGED_SIZES: [judged: number, rows: number][] = [
  [30, 100],
  [30, 1000],
  [64, 120],
  [64, 1000],
  [200, 250],
  [200, 1000],
]
const RATES = [0.5, 0.8, 0.95]
/** From a perfect judge to one that passes everything. */
const JUDGES: [falsePass: number, falseFail: number][] = [
  [0, 0],
  [0.1, 0.1],
  [0.5, 0.05],
  [0.2, 0.4],
  [1, 0],
]

export function judgeScenarios([judged, rows]: [judged: number, rows: number]): JudgeScenario[] {
  return RATES.flatMap((rate) =>
    JUDGES.map(([falsePass, falseFail]) => ({ rows, judged, rate, falsePass, falseFail })),
  )
}

interface CorrectedCoverage {
  /** How often the interval contains the share of all rows that people would pass. */
  coverage: number
  /** How often it contains the probability that people pass a row: the pass rate of infinitely many rows. */
  populationCoverage: number
  /** The mean error of the pass rate of the judge. */
  judgeError: number
  /** The mean error of the corrected rate. */
  bias: number
  width: number
  /** The share of samples without a corrected rate. They count in no other statistic. */
  missing: number
}

export function simulateCorrectedRate(
  random: Random,
  samples: number,
  { rows, judged, rate, falsePass, falseFail }: JudgeScenario,
): CorrectedCoverage {
  const sum = { coverage: 0, populationCoverage: 0, judgeError: 0, bias: 0, width: 0 }
  let measured = 0
  for (let sample = 0; sample < samples; sample += 1) {
    const counts: VerdictCounts = { both_pass: 0, only_evaluator: 0, only_with: 0, both_fail: 0 }
    let [passed, truth] = [0, 0]
    for (let row = 0; row < rows; row += 1) {
      const isGood = random() < rate
      const hasPassed = isGood ? random() >= falseFail : random() < falsePass
      truth += Number(isGood) / rows
      passed += Number(hasPassed)
      // Rows are drawn independently of each other, so the first ones are a random sample.
      if (row >= judged) continue
      if (hasPassed) counts[isGood ? 'both_pass' : 'only_evaluator'] += 1
      else counts[isGood ? 'only_with' : 'both_fail'] += 1
    }
    const result = correctRate(rows, passed, counts)
    if (!result) continue
    const [low, high] = result.interval
    // Bounds are rounded to 12 digits.
    const contains = (value: number) => Number(low <= value + 1e-11 && value - 1e-11 <= high)
    measured += 1
    sum.coverage += contains(truth)
    sum.populationCoverage += contains(rate)
    sum.judgeError += passed / rows - truth
    sum.bias += result.corrected - truth
    sum.width += high - low
  }
  const mean = (total: number) => total / measured
  return {
    coverage: mean(sum.coverage),
    populationCoverage: mean(sum.populationCoverage),
    judgeError: mean(sum.judgeError),
    bias: mean(sum.bias),
    width: mean(sum.width),
    missing: 1 - measured / samples,
  }
}
