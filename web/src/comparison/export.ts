// Reads the joined rows of a view window by window, each row whole, and hands them to the browser as a file.
import type { ComparisonRows } from 'assay-client'
import { assay } from '../api.ts'
import { SpreadsheetGuard } from '../evaluation/spreadsheet-safe.ts'
import { csvLine } from '../format/csv.ts'
import { parseExactly } from '../format/exact.ts'
import { counted } from '../format/numbers.ts'
import type { Format, Saving } from '../parts/export-menu.tsx'
import { saveFile } from '../save-file.ts'
import { toast } from '../shell/toasts.tsx'
import { type CsvNames, csvCells, csvHead, exportedRow } from './export-rows.ts'
import type { JoinedRow } from './opened-row.ts'
import { queryOf, type RowQuestion } from './questions.ts'

const ROWS_AT_ONCE = 500
/** By how many rows the size of all is judged. */
const JUDGED = 100
/** As much of a text as comes with its row; what is longer is asked for by itself. */
const LONGEST_TEXT = 100_000

/** About how many bytes the file will have; 0 where that is not worth finding out. */
export async function estimatedSize(
  question: RowQuestion,
  { rows, signal }: { rows: number; signal: AbortSignal },
): Promise<number> {
  if (rows <= JUDGED) return 0
  const query = { ...queryOf(question), limit: JUDGED, preview: LONGEST_TEXT }
  const text = await assay.listComparisonRowsText(query, { signal })
  return (text.length / JUDGED) * rows
}

export async function saveView(question: RowQuestion, names: CsvNames, saving: Saving): Promise<void> {
  const { format, isGuarded, signal, onProgress } = saving
  const guard = new SpreadsheetGuard()
  const encoder = new TextEncoder()
  const parts: BlobPart[] = []
  let [received, saved] = [0, 0]
  const add = (text: string) => {
    const bytes = encoder.encode(isGuarded ? guard.guard(text) : text)
    parts.push(bytes)
    received += bytes.length
    onProgress(received)
  }
  if (format === 'csv') add(csvLine(csvHead(names)))
  for await (const rows of windowsOf(question, signal)) {
    add(rows.map((row, index) => textOf(row, format, saved + index === 0, names)).join(''))
    saved += rows.length
  }
  if (format === 'json') add(saved === 0 ? '[]\n' : '\n]\n')
  const { evaluations, show } = question
  const name = ['comparison', ...evaluations, show].join('-').replace(/[^\w.-]+/g, '-')
  saveFile(new Blob(parts), `${name}.${format}`)
  toast(`Saved ${counted(saved, 'row')} to ${name}.${format}.`)
}

function textOf(row: JoinedRow, format: Format, isFirst: boolean, names: CsvNames): string {
  if (format === 'csv') return csvLine(csvCells(row, names))
  const text = JSON.stringify(exportedRow(row))
  return format === 'ndjson' ? `${text}\n` : `${isFirst ? '[\n' : ',\n'}${text}`
}

async function* windowsOf(question: RowQuestion, signal: AbortSignal): AsyncGenerator<JoinedRow[]> {
  let total: number | undefined
  for (let offset = 0; total === undefined || offset < total; offset += ROWS_AT_ONCE) {
    const query = { ...queryOf(question), offset, limit: ROWS_AT_ONCE, preview: LONGEST_TEXT }
    const answer = parseExactly(await assay.listComparisonRowsText(query, { signal })) as ComparisonRows
    total ??= answer.total
    if (answer.total !== total) throw new Error('There are other rows than when it began. Try again.')
    for (const row of answer.rows) await makeWhole(row, question.evaluations, signal)
    yield answer.rows
  }
}

/** Puts the scenario itself in the place of one whose texts were cut. */
async function makeWhole(row: JoinedRow, evaluations: readonly string[], signal: AbortSignal): Promise<void> {
  const whole = async <Scenario extends JoinedRow['base']>(scenario: Scenario, side: number) => {
    if (!scenario || scenario.cut.length === 0) return scenario
    const text = await assay.getEvaluationScenarioText(evaluations[side] ?? '', scenario.id, {}, { signal })
    const { evaluation_id: _, ...read } = parseExactly(text) as Record<string, unknown>
    return { ...scenario, ...read } as Scenario
  }
  row.base = await whole(row.base, 0)
  for (const [at, candidate] of row.candidates.entries()) candidate.row = await whole(candidate.row, at + 1)
}
