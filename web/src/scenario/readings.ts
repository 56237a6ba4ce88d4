// What an evaluator said of a scenario, as people read it: a verdict, a number, a label, a failure, or nothing.
import type { Evaluation, EvaluationScenario, Rows } from 'assay-client'
import { STATE_NAMES, type State } from '../evaluation/states.ts'
import { digitsOf, numberOf, textOf } from './exact.ts'

type Result = EvaluationScenario['results'][number]
export type BaseRow = Rows['rows'][number]['base']

export interface Reading {
  evaluator: string
  state: State
  /** The number, label or message; empty where the state says it all. */
  text: string
  threshold: number | undefined
  higherIsBetter: boolean
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

export function readingsOf(
  scenario: EvaluationScenario,
  evaluation: Evaluation | undefined,
  base: BaseRow,
): Reading[] {
  const hasFailed = scenario.outputs.some(({ result }) => result.error)
  return scenario.results.map(({ evaluator_config: evaluator, result }, index) => {
    const declared = evaluation?.evaluators?.find(({ name }) => name === evaluator)
    const beside = base?.deltas.find((one) => one.evaluator === evaluator)
    const { threshold, higher_is_better: higherIsBetter = true } = declared ?? {}
    const state = stateOf(result, threshold, higherIsBetter, hasFailed)
    return {
      evaluator,
      state,
      text: wordsOf(result, state),
      threshold,
      higherIsBetter,
      error: result.error,
      reason: reasonOf(scenario, index),
      base: beside?.base ?? undefined,
      delta: beside?.delta ?? undefined,
      isVerdict: typeof result.value === 'boolean',
    }
  })
}

function stateOf(
  { value, error }: Result['result'],
  threshold: number | undefined,
  higherIsBetter: boolean,
  hasFailed: boolean,
): State {
  if (error) return 'error'
  if (typeof value === 'boolean') return value ? 'pass' : 'fail'
  const number = numberOf(value)
  if (number !== undefined && Number.isFinite(number)) {
    if (threshold === undefined) return 'scored'
    const reaches = higherIsBetter ? number >= threshold : number <= threshold
    return reaches ? 'pass' : 'fail'
  }
  if (typeof value === 'string') return 'labelled'
  return hasFailed ? 'output_error' : 'unscored'
}

function wordsOf({ value, error }: Result['result'], state: State): string {
  if (error) return error.message
  if (typeof value === 'boolean') return ''
  if (value === undefined || value === null) return STATE_NAMES[state].toLowerCase()
  return digitsOf(value) ?? textOf(value)
}

/** Where writers keep why an evaluator said what it said. */
function reasonOf({ extra }: EvaluationScenario, index: number): string | undefined {
  const kept: unknown = extra?.results
  const reason = Array.isArray(kept) ? kept[index]?.reason : undefined
  return reason === undefined || reason === null ? undefined : textOf(reason)
}
