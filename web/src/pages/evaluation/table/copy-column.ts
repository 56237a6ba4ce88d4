// Copies all values of a column in the filtered rows to the clipboard, one per line.
import type { EvaluationScenario } from 'assay-client'
import { assay } from '../../../api/client.ts'
import { pluralize } from '../../../format/numbers.ts'
import { compactText } from '../../../format/value-text.ts'
import type { RowQuery } from '../../../queries/evaluations.ts'
import { scenarioParams } from '../../../queries/rows-call.ts'
import { cellText, outputTotal } from '../../../results/cells.ts'
import { toast } from '../../../ui/toasts.tsx'
import type { Column } from './columns.ts'

const MAX_VALUES = 100_000

export async function copyColumn(
  evaluation: string,
  query: RowQuery,
  column: Column,
  output: number,
): Promise<void> {
  let [values, isComplete] = [0, true]
  async function readLines(): Promise<Blob> {
    const lines: string[] = []
    for await (const scenario of assay.scenarios(evaluation, scenarioParams(query))) {
      isComplete = lines.length < MAX_VALUES
      if (!isComplete) break
      lines.push(lineOf(scenario, column, output))
    }
    values = lines.length
    return new Blob([lines.join('\n')], { type: 'text/plain' })
  }
  try {
    // Write a promise: the permission to copy expires a few seconds after the click.
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': readLines() })])
    toast(
      `Copied ${isComplete ? '' : 'the first '}${pluralize(values, 'value')} of ${column.name}, one per line.`,
    )
  } catch {
    toast(`Could not copy ${column.name}.`)
  }
}

/** Multi-line texts are written as JSON strings. */
function lineOf(scenario: EvaluationScenario, column: Column, output: number): string {
  const text = plainValue(scenario, column, output)
  return /[\r\n]/.test(text) ? JSON.stringify(text) : text
}

function plainValue(scenario: EvaluationScenario, column: Column, output: number): string {
  if (column.kind === 'latency' || column.kind === 'cost')
    return String(outputTotal(scenario, column.kind) ?? '')
  if (column.kind !== 'result') return cellText({ ...scenario, position: 0 }, column, output)?.text ?? ''
  const result = scenario.results.find((candidate) => candidate.evaluator_config === column.name)?.result
  return result?.error ? result.error.message : compactText(result?.value ?? '')
}
