// Computes the scores of an evaluation from its scenarios, with exact arithmetic. Shares no code with the service.
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'
import type { Scores } from '../../src/schema/scores.ts'
import { exactTotals } from './exact-statistics.ts'

export interface Evaluator {
  name: string
  higher_is_better?: boolean
  threshold?: number
}

export type ScoredScenario = Pick<EvaluationScenario, 'outputs' | 'results'>

/** Columns cannot contain NUL and lone surrogates. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd')
const isFiniteNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value)
const round = (value: number) => (Number.isFinite(value) ? Number(value.toPrecision(12)) : null)

/** `names` is the order of the evaluators. By default, that of their first occurrence. */
export function bruteForceScores(
  declared: Evaluator[] | null,
  scenarios: ScoredScenario[],
  names = scenarios.flatMap(({ results }) => results.map(({ evaluator_config }) => evaluator_config)),
): Scores {
  const [costs, latencies] = [amounts(scenarios, 'cost'), amounts(scenarios, 'latency')]
  const { mean } = exactTotals(latencies)
  return {
    output_errors: scenarios.filter(({ outputs }) => outputs.some(({ result }) => result.error != null))
      .length,
    cost: { n: costs.length, ...exactTotals(costs) },
    latency: { n: latencies.length, mean, p50: median(latencies) },
    evaluators: [...new Set(names.map(storable))].map((name) => evaluatorScores(name, declared, scenarios)),
  }
}

function amounts(scenarios: ScoredScenario[], name: 'cost' | 'latency'): number[] {
  return scenarios.flatMap(({ outputs }) => {
    const values = outputs.map((output) => output[name]).filter(isFiniteNumber) as number[]
    const sum = values.reduce((total, value) => total + value, 0)
    return values.length > 0 && Number.isFinite(sum) ? [sum] : []
  })
}

/** The exact median. */
export function median(numbers: number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  if (low === undefined || high === undefined) return null
  return low === high ? low : round(low + (high - low) * 0.5)
}

function evaluatorScores(name: string, declared: Evaluator[] | null, scenarios: ScoredScenario[]) {
  const { higher_is_better = true, threshold } =
    declared?.find((evaluator) => storable(evaluator.name) === name) ?? {}
  const results = scenarios.flatMap(
    ({ results }) =>
      results.find(({ evaluator_config }) => storable(evaluator_config) === name)?.result ?? [],
  )
  const values = results.filter(({ error }) => error == null).map(({ value }) => value)
  const verdicts = values.filter((value) => typeof value === 'boolean')
  const numbers = values.filter(isFiniteNumber) as number[]
  const scores = [...verdicts.map(Number), ...numbers]
  const judged = verdicts.concat(
    threshold === undefined
      ? []
      : numbers.map((value) => (higher_is_better ? value >= threshold : value <= threshold)),
  )
  return {
    name,
    higher_is_better,
    n: scores.length,
    errors: results.length - values.length,
    mean: exactTotals(scores).mean,
    pass_rate: judged.length === 0 ? null : round(judged.filter(Boolean).length / judged.length),
  }
}
