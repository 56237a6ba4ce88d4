// The result of each evaluator for a scenario, prepared for display: a verdict, score, label, error, or none.
import type { Evaluation, EvaluationRows, EvaluationScenario } from 'assay-client'
import { digitsOf } from '../../../src/json/exact-values.ts'
import { numberOf } from '../format/exact-json.ts'
import { indentedText } from '../format/value-text.ts'
import { judgeResult, ruleOf, type ScoringRule } from './cells.ts'
import type { EvaluatorDisplay, EvaluatorDisplays } from './evaluator-display.ts'
import { RESULT_STATES, type ResultState } from './result-states.ts'

type Result = EvaluationScenario['results'][number]
type BaselineRow = EvaluationRows['rows'][number]['base']

export type Outcome = ReturnType<typeof outcomesOf>[number]

export function outcomesOf(
  scenario: EvaluationScenario,
  evaluation: Evaluation | undefined,
  base: BaselineRow,
  displays: EvaluatorDisplays = {},
) {
  const hasFailed = scenario.outputs.some(({ result }) => result.error)
  return scenario.results.map(({ evaluator_config: evaluator, result }, index) => {
    const settings = evaluation?.evaluators?.find(({ name }) => name === evaluator)
    const change = base?.deltas.find((delta) => delta.evaluator === evaluator)
    const rule = ruleOf(settings)
    const state = stateOf(result, rule, hasFailed)
    const isVerdict = typeof result.value === 'boolean'
    // Without a column, a score has the decimals that it needs.
    const display: EvaluatorDisplay = displays[evaluator] ?? { ...rule, decimals: 0, isRounded: false }
    return {
      evaluator,
      state,
      display,
      /** The score, label or error message; empty for a plain verdict. */
      text: displayText(result, state),
      error: result.error,
      reason: reasonOf(scenario, index),
      /** The score of the matched row in the baseline, and the difference to it. */
      baselineScore: change?.base ?? undefined,
      delta: change?.delta ?? undefined,
      isVerdict,
      isScore: !isVerdict && ['pass', 'fail', 'scored'].includes(state),
    }
  })
}

/** A number outside of the double range counts as not scored. An unscored result of a failed output is an output error. */
export function stateOf(
  result: Result['result'] | undefined,
  rule: ScoringRule,
  hasFailed: boolean,
): ResultState {
  const number = numberOf(result?.value)
  const value = number === undefined ? result?.value : Number.isFinite(number) ? number : null
  const { state } = judgeResult(result && { ...result, value }, rule)
  return state === 'unscored' && hasFailed ? 'output_error' : state
}

function displayText({ value, error }: Result['result'], state: ResultState): string {
  if (error) return error.message
  if (typeof value === 'boolean') return ''
  if (value === undefined || value === null) return RESULT_STATES[state].name.toLowerCase()
  return digitsOf(value) ?? indentedText(value)
}

/** Importers store the evaluator's explanation in `extra.results`. */
function reasonOf({ extra }: EvaluationScenario, index: number): string | undefined {
  const results: unknown = extra?.results
  const reason = Array.isArray(results) ? results[index]?.reason : undefined
  return reason === undefined || reason === null ? undefined : indentedText(reason)
}
