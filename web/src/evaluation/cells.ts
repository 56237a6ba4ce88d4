// What the cells of a row say: the state of a result, the text of a value, figures of several outputs together.
import type { Rows } from 'assay-client'
import { onLine } from '../format/values.ts'
import type { Column } from './columns.ts'
import type { State } from './states.ts'

export type Row = Rows['rows'][number]

interface Judgement {
  state: State
  /** Its number, its label or the message of its error. */
  value?: number | string
}

export interface Rule {
  higherIsBetter: boolean
  threshold: number | null
}

/** Where nothing is said of an evaluator. */
export const PLAIN_RULE: Rule = { higherIsBetter: true, threshold: null }

/** Of several results of one evaluator the first counts. */
export function judgementOf(row: Pick<Row, 'results'>, evaluator: string, rule: Rule): Judgement {
  const found = row.results.find((one) => one.evaluator_config === evaluator)?.result
  if (!found) return { state: 'unscored' }
  const { error, value } = found
  if (error) return { state: 'error', value: error.message }
  if (typeof value === 'boolean') return { state: value ? 'pass' : 'fail' }
  if (typeof value === 'number') return { state: verdictOf(value, rule), value }
  if (value === null || value === undefined) return { state: 'unscored' }
  return { state: 'labelled', value: onLine(value) }
}

/** A number is a verdict only against a threshold that somebody set. */
function verdictOf(value: number, { higherIsBetter, threshold }: Rule): State {
  if (threshold === null) return 'scored'
  return (higherIsBetter ? value >= threshold : value <= threshold) ? 'pass' : 'fail'
}

interface Text {
  text: string
  isError?: boolean
}

/** The text of a cell that is no result; undefined where there is nothing. */
export function cellText(
  row: Omit<Row, 'cut'> & { cut?: string[] },
  column: Pick<Column, 'key' | 'kind' | 'name'>,
  output: number,
): Text | undefined {
  const whole = (pointer: string, text: string): Text => ({
    text: row.cut?.includes(pointer) ? `${text}…` : text,
  })
  if (column.kind === 'input') {
    const at = row.inputs.findIndex((one) => one.name === column.name)
    return row.inputs[at] && whole(`/inputs/${at}/value`, onLine(row.inputs[at].value))
  }
  if (column.kind === 'expected') {
    const answers = row.correct_answers ?? []
    const at = column.key === 'expected' ? 0 : answers.findIndex((one) => one.key === column.name)
    return answers[at] && whole(`/correct_answers/${at}/value`, answers[at].value)
  }
  const result = row.outputs[output - 1]?.result
  if (result?.error) return { text: result.error.message, isError: true }
  if (result?.value === undefined || result.value === null) return undefined
  return whole(`/outputs/${output - 1}/result/value`, onLine(result.value))
}

/** Latency or cost of all outputs together; undefined where none has one. */
export function figureOf({ outputs }: Pick<Row, 'outputs'>, kind: 'latency' | 'cost'): number | undefined {
  const figures = outputs.flatMap((output) => output[kind] ?? [])
  return figures.length === 0 ? undefined : figures.reduce((sum, one) => sum + one, 0)
}

/** The score less that of the paired row, where they differ. */
export function deltaOf(row: Row, evaluator: string): number | undefined {
  const delta = row.base?.deltas.find((one) => one.evaluator === evaluator)?.delta
  return delta ? delta : undefined
}
