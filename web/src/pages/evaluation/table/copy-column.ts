// Copies all values of a column in the filtered rows to the clipboard, one per line.
import { assay } from '../../../api/client.ts'
import { pluralize } from '../../../format/numbers.ts'
import { compactText } from '../../../format/value-text.ts'
import { scenarioParams } from '../../../queries/rows-call.ts'
import type { Row } from '../../../results/cells.ts'
import { toast } from '../../../ui/messages/toasts.tsx'
import type { EvaluationContext } from './context.ts'

const MAX_VALUES = 100_000

export async function copyColumn(
  name: string,
  { id, query }: Pick<EvaluationContext, 'id' | 'query'>,
  readValue: (row: Row) => unknown,
): Promise<void> {
  let [values, isComplete] = [0, true]
  async function readLines(): Promise<Blob> {
    const lines: string[] = []
    for await (const scenario of assay.scenarios(id, scenarioParams(query))) {
      isComplete = lines.length < MAX_VALUES
      if (!isComplete) break
      lines.push(lineOf(readValue({ ...scenario, position: 0, cut: [] })))
    }
    values = lines.length
    return new Blob([lines.join('\n')], { type: 'text/plain' })
  }
  try {
    // Write a promise: the permission to copy expires a few seconds after the click.
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': readLines() })])
    toast(`Copied ${isComplete ? '' : 'the first '}${pluralize(values, 'value')} of ${name}, one per line.`)
  } catch {
    toast(`Could not copy ${name}.`)
  }
}

/** Multi-line texts are written as JSON strings. */
function lineOf(value: unknown): string {
  const text = value === undefined || value === null ? '' : compactText(value)
  return /[\r\n]/.test(text) ? JSON.stringify(text) : text
}
