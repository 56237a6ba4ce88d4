// The contents of table cells: the state of a result, the text of a value, latency and cost totals.
import type { Rows } from 'assay-client'
import { compactText } from '../format/value-text.ts'
import type { ResultState } from './result-states.ts'

export type Row = Rows['rows'][number]

interface JudgedResult {
  state: ResultState
  /** The score, label or error message. */
  value?: number | string
}

export interface ScoringRule {
  higherIsBetter: boolean
  threshold: number | null
}

/** For evaluators without a declaration. */
export const DEFAULT_RULE: ScoringRule = { higherIsBetter: true, threshold: null }

/** If an evaluator has several results, the first one counts. */
export function judgeResult(row: Pick<Row, 'results'>, evaluator: string, rule: ScoringRule): JudgedResult {
  const result = row.results.find((candidate) => candidate.evaluator_config === evaluator)?.result
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

interface CellText {
  text: string
  isError?: boolean
}

/** The text of an input, output or expected answer; undefined if there is none. */
export function cellText(
  row: Omit<Row, 'cut'> & { cut?: string[] },
  column: { key: string; kind: string; name: string },
  output: number,
): CellText | undefined {
  const withEllipsis = (pointer: string, text: string): CellText => ({
    text: row.cut?.includes(pointer) ? `${text}…` : text,
  })
  if (column.kind === 'input') {
    const index = row.inputs.findIndex((input) => input.name === column.name)
    return row.inputs[index] && withEllipsis(`/inputs/${index}/value`, compactText(row.inputs[index].value))
  }
  if (column.kind === 'expected') {
    const answers = row.correct_answers ?? []
    const index = column.key === 'expected' ? 0 : answers.findIndex((answer) => answer.key === column.name)
    return answers[index] && withEllipsis(`/correct_answers/${index}/value`, answers[index].value)
  }
  const result = row.outputs[output - 1]?.result
  if (result?.error) return { text: result.error.message, isError: true }
  if (result?.value === undefined || result.value === null) return undefined
  return withEllipsis(`/outputs/${output - 1}/result/value`, compactText(result.value))
}

/** Total latency or cost of all outputs; undefined if no output has one. */
export function outputTotal({ outputs }: Pick<Row, 'outputs'>, kind: 'latency' | 'cost'): number | undefined {
  const values = outputs.flatMap((output) => output[kind] ?? [])
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0)
}

/** The score minus the score of the matched baseline row; undefined if they are equal. */
export function deltaOf(row: Row, evaluator: string): number | undefined {
  const delta = row.base?.deltas.find((entry) => entry.evaluator === evaluator)?.delta
  return delta ? delta : undefined
}
