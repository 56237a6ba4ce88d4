// Downloads the filtered rows and saves them as a file.
import { assay } from '../../../api/client.ts'
import type { ExportOptions, Format } from '../../../export/export-menu.tsx'
import { saveFile } from '../../../export/save-file.ts'
import { escapeFormulas } from '../../../export/spreadsheet-guard.ts'
import type { RowQuery } from '../../../queries/evaluations.ts'
import { scenarioParams } from '../../../queries/rows-call.ts'

/** The size is estimated from this many rows: compressed responses have no Content-Length. */
const SAMPLED_ROWS = 100
const PROGRESS_INTERVAL_MS = 100

interface Estimate {
  format: Format
  rows: number
  signal: AbortSignal
}

/** The estimated size of the file in bytes; 0 for small files. */
export async function estimatedSize(
  id: string,
  query: RowQuery,
  { format, rows, signal }: Estimate,
): Promise<number> {
  if (rows <= SAMPLED_ROWS) return 0
  const sample = { ...scenarioParams(query), limit: SAMPLED_ROWS }
  const response = await assay.exportScenarios(id, sample, format, { signal })
  return ((await response.blob()).size / SAMPLED_ROWS) * rows
}

export async function saveRows(id: string, query: RowQuery, options: ExportOptions): Promise<void> {
  const { format, isExcelSafe, signal, onProgress } = options
  const response = await assay.exportScenarios(id, scenarioParams(query), format, { signal })
  if (!response.body) throw new Error('The response has no content.')
  const parts: BlobPart[] = []
  let received = 0
  let reportedAt = performance.now()
  // Not every browser supports `for await` on a stream.
  const reader = (isExcelSafe ? excelSafe(response.body) : response.body).getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value)
    received += read.value.length
    if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) continue
    reportedAt = performance.now()
    onProgress(received)
  }
  const isFiltered = query.filters.length > 0
  saveFile(new Blob(parts), `${id.replace(/[^\w.-]+/g, '-')}${isFiltered ? '-filtered' : ''}.${format}`)
}

function excelSafe(table: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return table
    .pipeThrough(new TextDecoderStream('utf-8', { ignoreBOM: true }))
    .pipeThrough(escapeFormulas())
    .pipeThrough(new TextEncoderStream())
}
