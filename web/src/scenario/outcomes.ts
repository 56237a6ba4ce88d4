// What an evaluator said of a scenario, as people read it: a verdict, a number, a label, a failure, or nothing.
import type { Evaluation, EvaluationScenario, Rows } from 'assay-client'
import { judgementOf, PLAIN_RULE, type Rule } from '../evaluation/cells.ts'
import { STATE_NAMES, type State } from '../evaluation/states.ts'
import { digitsOf, numberOf } from '../format/exact.ts'
import { laidOut } from '../format/values.ts'

type Result = EvaluationScenario['results'][number]
export type BaseRow = Rows['rows'][number]['base']

export interface Outcome {
  evaluator: string
  state: State
  /** The number, label or message; empty where the state says it all. */
  text: string
  rule: Rule
  error: Result['result']['error']
  reason: string | undefined
  /** The score of the same row in the baseline, and this one less that. */
  base: number | undefined
  delta: number | undefined
  isVerdict: boolean
}

export const SIGNS: Record<State, string> = {
  fail: '✗',
  pass: '✓',
  scored: '',
  labelled: '',
  error: '⚠',
  unscored: '–',
  output_error: '–',
}

export function outcomesOf(
  scenario: EvaluationScenario,
  evaluation: Evaluation | undefined,
  base: BaseRow,
): Outcome[] {
  const hasFailed = scenario.outputs.some(({ result }) => result.error)
  return scenario.results.map(({ evaluator_config: evaluator, result }, index) => {
    const declared = evaluation?.evaluators?.find(({ name }) => name === evaluator)
    const beside = base?.deltas.find((one) => one.evaluator === evaluator)
    const rule = {
      higherIsBetter: declared?.higher_is_better ?? PLAIN_RULE.higherIsBetter,
      threshold: declared?.threshold ?? PLAIN_RULE.threshold,
    }
    const state = stateOf(result, rule, hasFailed)
    return {
      evaluator,
      state,
      text: wordsOf(result, state),
      rule,
      error: result.error,
      reason: reasonOf(scenario, index),
      base: beside?.base ?? undefined,
      delta: beside?.delta ?? undefined,
      isVerdict: typeof result.value === 'boolean',
    }
  })
}

/** A number that no double holds is not scored; where the output failed, that is why nothing is. */
function stateOf(result: Result['result'], rule: Rule, hasFailed: boolean): State {
  const number = numberOf(result.value)
  const value = number === undefined ? result.value : Number.isFinite(number) ? number : null
  const { state } = judgementOf(
    { results: [{ evaluator_config: '', result: { ...result, value } }] },
    '',
    rule,
  )
  return state === 'unscored' && hasFailed ? 'output_error' : state
}

function wordsOf({ value, error }: Result['result'], state: State): string {
  if (error) return error.message
  if (typeof value === 'boolean') return ''
  if (value === undefined || value === null) return STATE_NAMES[state].toLowerCase()
  return digitsOf(value) ?? laidOut(value)
}

/** Where writers keep why an evaluator said what it said. */
function reasonOf({ extra }: EvaluationScenario, index: number): string | undefined {
  const kept: unknown = extra?.results
  const reason = Array.isArray(kept) ? kept[index]?.reason : undefined
  return reason === undefined || reason === null ? undefined : laidOut(reason)
}
