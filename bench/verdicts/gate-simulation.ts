// Decisions of the regression gate about simulated evaluations, by the code of the gate.
import type { GateReasonCode, GateRules } from '../../src/schema/gate.ts'
import { confidenceOf, judgeLoss, measureLoss } from '../../src/store/compare/gate-losses.ts'
import type { PairedNumbers } from '../../src/store/statistics/paired-differences.ts'
import { drawPasses, type Random, type VerdictScenario } from './scenarios.ts'

/** Numbers of rows and of repeats, the same in both evaluations. */
export interface GateSize {
  n: number
  repeats: number
}

/** Only texts and `max_regressed` need the classes of rows. */
const NO_CLASSES = { regressed: 0, improved: 0, same: 0, unclear: 0, incomparable: 0, missing: 0 }

/** Why one of `checked` evaluators fails, per set of rules. Undefined if it passes. */
function judgeEvaluator(
  pairs: Pick<PairedNumbers, 'baseline' | 'candidate' | 'hasRepeats'>,
  checked: number,
  rules: GateRules[],
): (GateReasonCode | undefined)[] {
  const n = pairs.candidate.length
  const confidence = confidenceOf(checked)
  const selected = { name: 'correct', scored: n, is_verdict: true }
  const check = measureLoss(selected, { ...pairs, verdicts: n }, true, confidence)
  return rules.map((each) => judgeLoss(check, NO_CLASSES, each, confidence)[0]?.code)
}

/** The probabilities that one evaluator fails, for one number of checked evaluators and one set of rules. */
export interface FailureRates {
  certain: number
  observedLoss: number
}

/** Simulates one evaluator, and returns its rates by number of checked evaluators and set of rules. Decisions are cached. */
export type GateSimulation = (random: Random, samples: number, scenario: VerdictScenario) => FailureRates[][]

export function createGateSimulation(
  { n, repeats }: GateSize,
  checked: number[],
  rules: GateRules[],
): GateSimulation {
  const cache = new Map<string, (GateReasonCode | undefined)[][]>()
  const [baseline, candidate] = [new Float64Array(n), new Float64Array(n)]
  const decide = () =>
    checked.map((count) => judgeEvaluator({ baseline, candidate, hasRepeats: repeats > 1 }, count, rules))

  /** Fills both arrays. Intervals of verdicts depend only on the two sums that are returned. */
  function drawPairs(random: Random, scenario: VerdictScenario): string {
    let [sum, squareSum] = [0, 0]
    for (let row = 0; row < n; row += 1) {
      const [baseRate, rate] = scenario.draw(random)
      const basePasses = drawPasses(random, repeats, baseRate)
      const passes = drawPasses(random, repeats, rate)
      baseline[row] = basePasses / repeats
      candidate[row] = passes / repeats
      sum += passes - basePasses
      squareSum += (passes - basePasses) ** 2
    }
    return `${sum} ${squareSum}`
  }

  return (random, samples, scenario) => {
    const counts = new Map<string, number>()
    for (let sample = 0; sample < samples; sample += 1) {
      const key = drawPairs(random, scenario)
      counts.set(key, (counts.get(key) ?? 0) + 1)
      if (!cache.has(key)) cache.set(key, decide())
    }
    const rateOf = (code: GateReasonCode, index: number, rule: number) => {
      let failed = 0
      for (const [key, count] of counts) if (cache.get(key)?.[index]?.[rule] === code) failed += count
      return failed / samples
    }
    return checked.map((_, index) =>
      rules.map((_, rule) => ({
        certain: rateOf('certain', index, rule),
        observedLoss: rateOf('observed-loss', index, rule),
      })),
    )
  }
}

/** The rates of a gate with so many independent evaluators. It is `certain` if one of them is, like the first reason of a gate. */
export function rateOfGate({ certain, observedLoss }: FailureRates, checked: number): FailureRates {
  const anyCertain = 1 - (1 - certain) ** checked
  const any = 1 - (1 - certain - observedLoss) ** checked
  return { certain: anyCertain, observedLoss: any - anyCertain }
}
