// What the scores of an evaluation depend on in one scenario: from its derived values, or from its stored text.
import type { EvaluationScenario } from '../../schema/scenarios.ts'
import type { Value } from '../dialect/dialect.ts'
import type { ResultScore, RowScores } from '../scores/score-statistics.ts'
import { MEASURE_COLUMNS, RESULT_COLUMNS, resultValues, sumAmounts } from './derived-columns.ts'
import type { ScenarioRow } from './row.ts'

const [COST, LATENCY, HAS_ERROR] = ['cost', 'latency', 'has_error'].map((name) =>
  MEASURE_COLUMNS.indexOf(name),
) as [number, number, number]
const [NUMBER, IS_VERDICT, IS_ERROR] = ['number', 'is_verdict', 'is_error'].map((name) =>
  RESULT_COLUMNS.indexOf(name),
) as [number, number, number]

export function rowScores({ measure, results }: Pick<ScenarioRow, 'measure' | 'results'>): RowScores {
  return {
    cost: measure[COST] as number | null,
    latency: measure[LATENCY] as number | null,
    hasError: measure[HAS_ERROR] === 1,
    results: results.map(([evaluator, ...values]) => resultScore(String(evaluator), values)),
  }
}

/** `values` has one value for each of RESULT_COLUMNS. */
export function resultScore(evaluator: string, values: Value[]): ResultScore {
  return {
    evaluator,
    number: values[NUMBER] as number | null,
    isVerdict: values[IS_VERDICT] === 1,
    isError: values[IS_ERROR] === 1,
  }
}

/** Computes only the derived values that scores depend on. */
export function scenarioScores(scenario: EvaluationScenario): RowScores {
  return {
    cost: sumAmounts(scenario.outputs, 'cost'),
    latency: sumAmounts(scenario.outputs, 'latency'),
    hasError: scenario.outputs.some(({ result }) => result.error != null),
    results: resultValues(scenario).map(([evaluator, ...values]) => resultScore(String(evaluator), values)),
  }
}

/** `text` is an element of the results of a stored scenario. */
export function storedResultScore(evaluator: string, text: string): ResultScore {
  const results = [JSON.parse(text) as EvaluationScenario['results'][number]]
  const [[, ...values] = []] = resultValues({ results })
  return resultScore(evaluator, values)
}
