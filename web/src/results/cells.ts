// The contents of table cells: the state of a result, the text of a value, latency and cost totals.
import type { EvaluationRows } from 'assay-client'
import { numberOf } from '../format/exact-json.ts'
import { compactText } from '../format/value-text.ts'
import type { ResultState } from './result-states.ts'

export type Row = EvaluationRows['rows'][number]

type Result = Row['results'][number]['result']

/** If an evaluator has several results, the first one counts. */
export function resultOf({ results }: Pick<Row, 'results'>, evaluator: string): Result | undefined {
  return results.find(({ evaluator_config }) => evaluator_config === evaluator)?.result
}

/** The value of an evaluator's result, or the message of its error. */
export function resultValue(row: Pick<Row, 'results'> | null, evaluator: string): unknown {
  const { error, value } = (row && resultOf(row, evaluator)) ?? {}
  return error?.message ?? value
}

interface JudgedResult {
  state: ResultState
  /** The score, label or error message. */
  value?: number | string
}

export interface EvaluatorDeclaration {
  higher_is_better?: boolean | undefined
  threshold?: number | null | undefined
}

export type ScoringRule = ReturnType<typeof ruleOf>

export function ruleOf({ higher_is_better = true, threshold = null }: EvaluatorDeclaration = {}) {
  return { higherIsBetter: higher_is_better, threshold }
}

/** For evaluators without a declaration. */
export const DEFAULT_RULE = ruleOf()

export function judgeResult(
  result: Pick<Result, 'value' | 'error'> | undefined,
  rule: ScoringRule,
): JudgedResult {
  if (!result) return { state: 'unscored' }
  const { error, value } = result
  if (error) return { state: 'error', value: error.message }
  if (typeof value === 'boolean') return { state: value ? 'pass' : 'fail' }
  if (typeof value === 'number') return { state: verdictOf(value, rule), value }
  if (value === null || value === undefined) return { state: 'unscored' }
  return { state: 'labeled', value: compactText(value) }
}

/** A number is a verdict only if the evaluator has a threshold. */
function verdictOf(value: number, { higherIsBetter, threshold }: ScoringRule): ResultState {
  if (threshold === null) return 'scored'
  return (higherIsBetter ? value >= threshold : value <= threshold) ? 'pass' : 'fail'
}

/** A scenario of a list, whose long texts are cut, or a complete one. */
export type ScenarioRow = Pick<Row, 'inputs' | 'outputs' | 'correct_answers'> &
  Partial<Pick<Row, 'cut' | 'conversations'>>

export interface ScenarioValue {
  /** In a list, of a conversation, the text that stands for it. */
  value: unknown
  /** Whether the value has the names of the tools that a conversation ends with. */
  isToolCall?: boolean
  /** Whether the list contains only the start of the text. */
  isCut?: boolean | undefined
  /** Whether the value is an error message. */
  isError?: boolean
}

export function inputValue(row: ScenarioRow, name: string): ScenarioValue | undefined {
  const index = row.inputs.findIndex((input) => input.name === name)
  return row.inputs[index] && valueAt(row, `/inputs/${index}/value`, row.inputs[index].value)
}

/** `number` starts at 1. */
export function outputValue(row: ScenarioRow, number: number): ScenarioValue | undefined {
  const { error, value } = row.outputs[number - 1]?.result ?? {}
  const pointer = `/outputs/${number - 1}/result`
  if (error) return { ...valueAt(row, `${pointer}/error/message`, error.message), isError: true }
  if (value === undefined || value === null) return undefined
  return valueAt(row, `${pointer}/value`, value)
}

/** The preview of a conversation, or else the value itself. */
function valueAt({ cut, conversations = [] }: ScenarioRow, pointer: string, value: unknown): ScenarioValue {
  const index = conversations.findIndex((conversation) => conversation.pointer === pointer)
  const conversation = conversations[index]
  if (!conversation) return { value, isCut: cut?.includes(pointer) }
  return {
    value: conversation.text,
    isCut: cut?.includes(`/conversations/${index}/text`),
    ...(conversation.kind === 'tool_call' && { isToolCall: true }),
  }
}

/** The expected answer with this name, or all of them without a name. */
export function expectedValue(row: ScenarioRow, name: string | undefined): ScenarioValue | undefined {
  const answers = (row.correct_answers ?? []).map(({ key, value }, index) => ({
    key,
    ...valueAt(row, `/correct_answers/${index}/value`, value),
  }))
  if (name !== undefined || answers.length < 2)
    return answers.find(({ key }) => name === undefined || key === name)
  const texts = answers.map(({ key, value, isCut }) => `${key}: ${value}${isCut ? '…' : ''}`)
  return { value: texts.join(' · ') }
}

/** Total latency or cost of all outputs; undefined if no output has one. */
export function outputTotal(row: Pick<Row, 'outputs'> | null, kind: 'latency' | 'cost'): number | undefined {
  const values = (row?.outputs ?? []).flatMap((output) => numberOf(output[kind]) ?? [])
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0)
}

/** The score minus the score of the matched baseline row; undefined if they are equal. */
export function deltaOf(row: Row, evaluator: string): number | undefined {
  const delta = row.base?.deltas.find((entry) => entry.evaluator === evaluator)?.delta
  return delta ? delta : undefined
}
