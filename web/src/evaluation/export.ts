// Reads the rows of a view in full, and hands them to the browser as a file.
import { assay } from '../api.ts'
import type { Format, Saving } from '../parts/export-menu.tsx'
import { saveFile } from '../save-file.ts'
import type { RowQuestion } from './questions.ts'
import { spreadsheetSafe } from './spreadsheet-safe.ts'
import { scenariosQuery } from './view-call.ts'

/** By how many rows the size of all is judged: a browser is not told the length of what comes compressed. */
const JUDGED = 100
const TOLD_EVERY_MS = 100

interface Estimate {
  format: Format
  rows: number
  signal: AbortSignal
}

/** About how many bytes the file will have; 0 where that is not worth finding out. */
export async function estimatedSize(
  id: string,
  question: RowQuestion,
  { format, rows, signal }: Estimate,
): Promise<number> {
  if (rows <= JUDGED) return 0
  const query = { ...scenariosQuery(question), limit: JUDGED }
  const answer = await assay.exportScenarios(id, query, format, { signal })
  return ((await answer.blob()).size / JUDGED) * rows
}

export async function saveView(id: string, question: RowQuestion, saving: Saving): Promise<void> {
  const { format, isGuarded, signal, onProgress } = saving
  const answer = await assay.exportScenarios(id, scenariosQuery(question), format, { signal })
  if (!answer.body) throw new Error('The answer has no content.')
  const parts: BlobPart[] = []
  let received = 0
  let told = performance.now()
  // Not every browser iterates over a stream by itself.
  const reader = (isGuarded ? guarded(answer.body) : answer.body).getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value)
    received += read.value.length
    if (performance.now() - told < TOLD_EVERY_MS) continue
    told = performance.now()
    onProgress(received)
  }
  const isPart = question.filters.length > 0
  saveFile(new Blob(parts), `${id.replace(/[^\w.-]+/g, '-')}${isPart ? '-filtered' : ''}.${format}`)
}

function guarded(table: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return table
    .pipeThrough(new TextDecoderStream('utf-8', { ignoreBOM: true }))
    .pipeThrough(spreadsheetSafe())
    .pipeThrough(new TextEncoderStream())
}
