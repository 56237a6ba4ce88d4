// All values of a column in the view, one a line, for the clipboard.
import type { EvaluationScenario } from 'assay-client'
import { assay } from '../api.ts'
import { counted } from '../format/numbers.ts'
import { onLine } from '../format/values.ts'
import { toast } from '../shell/toasts.tsx'
import { cellText, figureOf } from './cells.ts'
import type { Column } from './columns.ts'
import type { RowQuestion } from './questions.ts'
import { scenariosQuery } from './view-call.ts'

const MOST = 100_000

export async function copyValues(
  evaluation: string,
  question: RowQuestion,
  column: Column,
  output: number,
): Promise<void> {
  let [values, isWhole] = [0, true]
  async function lines(): Promise<Blob> {
    const found: string[] = []
    for await (const scenario of assay.scenarios(evaluation, scenariosQuery(question))) {
      isWhole = found.length < MOST
      if (!isWhole) break
      found.push(lineOf(scenario, column, output))
    }
    values = found.length
    return new Blob([found.join('\n')], { type: 'text/plain' })
  }
  try {
    // A promise, because the right to copy ends a few seconds after the click.
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': lines() })])
    toast(`Copied ${isWhole ? '' : 'the first '}${counted(values, 'value')} of ${column.name}, one a line.`)
  } catch {
    toast(`The values of ${column.name} could not be copied.`)
  }
}

/** A text with line ends is written as JSON, so that a line stays a value. */
function lineOf(scenario: EvaluationScenario, column: Column, output: number): string {
  const text = plainValue(scenario, column, output)
  return /[\r\n]/.test(text) ? JSON.stringify(text) : text
}

function plainValue(scenario: EvaluationScenario, column: Column, output: number): string {
  if (column.kind === 'latency' || column.kind === 'cost')
    return String(figureOf(scenario, column.kind) ?? '')
  if (column.kind !== 'result') return cellText({ ...scenario, position: 0 }, column, output)?.text ?? ''
  const result = scenario.results.find((one) => one.evaluator_config === column.name)?.result
  return result?.error ? result.error.message : onLine(result?.value ?? '')
}
