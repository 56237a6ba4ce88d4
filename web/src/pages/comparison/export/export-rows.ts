// Reads all joined rows of the view in windows, with full texts, and saves them as a file.
import type { ComparisonRows } from 'assay-client'
import { assay } from '../../../api/client.ts'
import { csvLine } from '../../../export/csv.ts'
import type { ExportOptions, Format } from '../../../export/export-menu.tsx'
import { saveFile } from '../../../export/save-file.ts'
import { FormulaEscaper } from '../../../export/spreadsheet-guard.ts'
import { parseExactly } from '../../../format/exact-json.ts'
import { pluralize } from '../../../format/numbers.ts'
import { toast } from '../../../ui/toasts.tsx'
import { type RowQuery, rowParams } from '../queries.ts'
import type { JoinedRow } from '../row-data.ts'
import { type CsvNames, csvCells, csvHeader, exportedRow } from './row-formats.ts'

const ROWS_PER_REQUEST = 500
/** Rows that are read to estimate the file size. */
const SAMPLE_ROWS = 100
/** Longer texts are truncated in the row and read with a separate request. */
const PREVIEW_LENGTH = 100_000

/** Estimated file size in bytes; 0 for small files. */
export async function estimatedSize(
  query: RowQuery,
  { rows, signal }: { rows: number; signal: AbortSignal },
): Promise<number> {
  if (rows <= SAMPLE_ROWS) return 0
  const params = { ...rowParams(query), limit: SAMPLE_ROWS, preview: PREVIEW_LENGTH }
  const text = await assay.listComparisonRowsText(params, { signal })
  return (text.length / SAMPLE_ROWS) * rows
}

export async function saveRows(query: RowQuery, names: CsvNames, saving: ExportOptions): Promise<void> {
  const { format, isExcelSafe, signal, onProgress } = saving
  const guard = new FormulaEscaper()
  const encoder = new TextEncoder()
  const parts: BlobPart[] = []
  let [received, saved] = [0, 0]
  const add = (text: string) => {
    const bytes = encoder.encode(isExcelSafe ? guard.escape(text) : text)
    parts.push(bytes)
    received += bytes.length
    onProgress(received)
  }
  if (format === 'csv') add(csvLine(csvHeader(names)))
  for await (const rows of readWindows(query, signal)) {
    add(rows.map((row, index) => serializeRow(row, format, saved + index === 0, names)).join(''))
    saved += rows.length
  }
  if (format === 'json') add(saved === 0 ? '[]\n' : '\n]\n')
  const { evaluations, show } = query
  const name = ['comparison', ...evaluations, show].join('-').replace(/[^\w.-]+/g, '-')
  saveFile(new Blob(parts), `${name}.${format}`)
  toast(`Saved ${pluralize(saved, 'row')} to ${name}.${format}.`)
}

function serializeRow(row: JoinedRow, format: Format, isFirst: boolean, names: CsvNames): string {
  if (format === 'csv') return csvLine(csvCells(row, names))
  const text = JSON.stringify(exportedRow(row))
  return format === 'ndjson' ? `${text}\n` : `${isFirst ? '[\n' : ',\n'}${text}`
}

async function* readWindows(query: RowQuery, signal: AbortSignal): AsyncGenerator<JoinedRow[]> {
  let total: number | undefined
  for (let offset = 0; total === undefined || offset < total; offset += ROWS_PER_REQUEST) {
    const params = { ...rowParams(query), offset, limit: ROWS_PER_REQUEST, preview: PREVIEW_LENGTH }
    const response = parseExactly(await assay.listComparisonRowsText(params, { signal })) as ComparisonRows
    total ??= response.total
    if (response.total !== total) throw new Error('The rows changed during the export. Try again.')
    for (const row of response.rows) await loadFullTexts(row, query.evaluations, signal)
    yield response.rows
  }
}

/** Replaces scenarios that have truncated texts with the full scenarios. */
async function loadFullTexts(
  row: JoinedRow,
  evaluations: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const withFullTexts = async <Scenario extends JoinedRow['base']>(scenario: Scenario, side: number) => {
    if (!scenario || scenario.cut.length === 0) return scenario
    const text = await assay.getEvaluationScenarioText(evaluations[side] ?? '', scenario.id, {}, { signal })
    const { evaluation_id: _, ...fullScenario } = parseExactly(text) as Record<string, unknown>
    return { ...scenario, ...fullScenario } as Scenario
  }
  row.base = await withFullTexts(row.base, 0)
  for (const [index, candidate] of row.candidates.entries()) {
    candidate.row = await withFullTexts(candidate.row, index + 1)
  }
}
