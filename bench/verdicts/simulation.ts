// Coverage and false alarms of the statistics of comparisons and evaluations, by simulation.
import { rateInterval } from '../../src/store/statistics/mean-interval.ts'
import { type PairedNumbers, summarizeDifferences } from '../../src/store/statistics/paired-differences.ts'
import type { Coverage } from './exact-coverage.ts'
import {
  drawPasses,
  drawRepeats,
  type NumberScenario,
  type Random,
  type RateScenario,
  type Repeats,
  type VerdictScenario,
} from './scenarios.ts'

export interface Simulation {
  random: Random
  /** How many evaluations or comparisons are simulated. */
  samples: number
  n: number
}

export function simulateVerdicts(
  { random, samples, n }: Simulation,
  scenario: VerdictScenario,
  repeats: Repeats,
): Coverage {
  const draw = (): PairedNumbers => {
    const [baseline, candidate] = [new Float64Array(n), new Float64Array(n)]
    let hasRepeats = false
    for (let row = 0; row < n; row += 1) {
      const [baseRate, rate] = scenario.draw(random)
      const [baseRuns, runs] = [drawRepeats(random, repeats), drawRepeats(random, repeats)]
      baseline[row] = drawPasses(random, baseRuns, baseRate) / baseRuns
      candidate[row] = drawPasses(random, runs, rate) / runs
      if (baseRuns > 1 || runs > 1) hasRepeats = true
    }
    return { baseline, candidate, verdicts: n, hasRepeats }
  }
  return measureCoverage(samples, scenario.change, () => summarizeDifferences(draw()).interval)
}

export function simulateNumbers({ random, samples, n }: Simulation, scenario: NumberScenario): Coverage {
  const draw = (): PairedNumbers => {
    const [baseline, candidate] = [new Float64Array(n), new Float64Array(n)]
    for (let row = 0; row < n; row += 1)
      [baseline[row], candidate[row]] = scenario.draw(random) as [number, number]
    return { baseline, candidate, verdicts: 0, hasRepeats: false }
  }
  return measureCoverage(samples, scenario.change, () => summarizeDifferences(draw()).interval)
}

export function simulateRates(
  { random, samples, n }: Simulation,
  scenario: RateScenario,
  repeats: Repeats,
): Coverage {
  return measureCoverage(samples, scenario.rate, () => {
    const means = new Float64Array(n)
    let runs = 0
    for (let row = 0; row < n; row += 1) {
      const count = drawRepeats(random, repeats)
      means[row] = drawPasses(random, count, scenario.draw(random)) / count
      runs += count
    }
    return rateInterval({ means, hasRepeats: runs > n, runs })
  })
}

/** An interval that is null counts as one that contains the true value. */
function measureCoverage(
  samples: number,
  truth: number,
  draw: () => [low: number, high: number] | null,
): Coverage {
  let [covered, significant, width] = [0, 0, 0]
  for (let sample = 0; sample < samples; sample += 1) {
    const [low, high] = draw() ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
    // Bounds are rounded to 12 digits.
    if (low <= truth + 1e-11 && truth - 1e-11 <= high) covered += 1
    if (low > 0 || high < 0) significant += 1
    if (high - low < Number.POSITIVE_INFINITY) width += high - low
  }
  return { coverage: covered / samples, significant: significant / samples, width: width / samples }
}
