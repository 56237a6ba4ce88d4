// Sends files to the service, one after the other. Files of one lm-evaluation-harness run are sent together. The user
// confirms the columns of a table first.
import { AssayError, type ImportColumn } from 'assay-client'
import { readTimestamp, SAMPLES_NAME } from '../../../../../src/import/lm-eval/file-names.ts'
import { END_BYTES, paddedSize, tarHeaders } from '../../../../../src/import/tar/format.ts'
import { assay, queryClient } from '../../../api/client.ts'
import { detectTable } from './table/detect-table.ts'
import { headerOf, namesOf, rememberChoices } from './table/remembered-columns.ts'
import { type ColumnChoice, mapOf, needsReview } from './table/roles.ts'
import { addUpload, type ImportSettings, isImportDialogOpen, type Upload, updateUpload } from './uploads.ts'

type NewUpload = Parameters<typeof addUpload>[0]
/** The confirmed roles of tables that were dropped together, by their columns. */
type ConfirmedChoices = Map<string, ColumnChoice[]>

// Tables wait for the user in a queue of their own, so that large files are sent meanwhile.
let reviews = Promise.resolve()
let requests = Promise.resolve()

export function uploadFiles(files: Iterable<File>, options: ImportSettings): void {
  const confirmed: ConfirmedChoices = new Map()
  const groups = groupFiles([...files])
  // The dialog has the progress and the reports.
  if (groups.length > 0) isImportDialogOpen.set(true)
  for (const [main, ...companions] of groups) {
    const content = companions.length > 0 ? archiveOf([main, ...companions]) : main
    const upload = { name: main.name, content, companionCount: companions.length, options }
    const { id, signal } = addUpload(upload)
    reviews = reviews.then(async () => {
      const tableOptions = mayBeTable(upload) && (await confirmColumns(id, upload, confirmed, signal))
      if (!signal.aborted) enqueue(id, { ...upload, options: { ...options, ...tableOptions } }, signal)
    })
  }
}

/** Imports a file after its dry run. */
export function sendAgain({ name, content, companionCount, options }: Upload): void {
  const upload = { name, content, companionCount, options: { ...options, dry_run: undefined } }
  const { id, signal } = addUpload(upload)
  enqueue(id, upload, signal)
}

function enqueue(id: number, upload: NewUpload, signal: AbortSignal): void {
  updateUpload(id, { state: 'waiting', options: upload.options })
  requests = requests.then(() => send(id, upload, signal))
}

function mayBeTable({ name, companionCount, options: { format } }: NewUpload): boolean {
  return companionCount === 0 && (format ?? 'table') === 'table' && !/\.(eval|zip)$/i.test(name)
}

/** The format and the roles of columns, or undefined if the roles are certain. */
async function confirmColumns(
  id: number,
  upload: NewUpload,
  confirmed: ConfirmedChoices,
  signal: AbortSignal,
): Promise<Pick<ImportSettings, 'format' | 'map'> | undefined> {
  if (signal.aborted) return undefined
  updateUpload(id, { state: 'checking' })
  const { columns, format } = await detectTable(upload, signal)
  if (signal.aborted || !needsReview(columns)) return undefined
  const header = headerOf(namesOf(columns))
  const choices = confirmed.get(header) ?? (await reviewColumns(id, columns, signal))
  if (!choices) return undefined
  confirmed.set(header, choices)
  rememberChoices(columns, choices)
  return { format, map: mapOf(columns, choices) }
}

/** Waits for the choice of the user. Undefined if the upload is canceled. */
function reviewColumns(
  id: number,
  columns: ImportColumn[],
  signal: AbortSignal,
): Promise<ColumnChoice[] | undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
    updateUpload(id, { state: 'review', review: { columns, onConfirm: resolve } })
  })
}

async function send(id: number, { name, content, options }: NewUpload, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  updateUpload(id, { state: 'sending' })
  try {
    const onProgress = (sentBytes: number) => updateUpload(id, { sentBytes })
    const report = await assay.importFile(content, { ...options, name }, { signal, onProgress })
    updateUpload(id, { state: 'done', report })
  } catch (error) {
    if (!signal.aborted) updateUpload(id, { state: 'failed', error })
    // An error of the service means that nothing was stored. After other errors, the file might be stored.
    if (error instanceof AssayError && error.code !== undefined) return
  }
  await queryClient.invalidateQueries()
}

/** The file to import, and the files that belong to it. */
type FileGroup = [main: File, ...companions: File[]]

/** Groups files that are imported together: the results and the samples of one lm-evaluation-harness run. */
function groupFiles(files: File[]): FileGroup[] {
  const samplesByResults = new Map<File, File[]>()
  for (const samples of files.filter(({ name }) => SAMPLES_NAME.test(name))) {
    const results = findResults(samples, files)
    if (results) samplesByResults.set(results, [...(samplesByResults.get(results) ?? []), samples])
  }
  const grouped = new Set([...samplesByResults.values()].flat())
  return files
    .filter((file) => !grouped.has(file))
    .map((file): FileGroup => [file, ...(samplesByResults.get(file) ?? [])])
}

/** The only JSON file with the same time in its name. */
function findResults(samples: File, files: File[]): File | undefined {
  const timestamp = readTimestamp(samples.name)
  const candidates = files.filter(
    ({ name }) => timestamp !== undefined && name.endsWith('.json') && readTimestamp(name) === timestamp,
  )
  return candidates.length === 1 ? candidates[0] : undefined
}

/** A tar archive of files, as one Blob. The browser reads the files only while it sends them. */
function archiveOf(files: File[]): Blob {
  const parts = files.flatMap((file) => [
    tarHeaders(file.name, file.size),
    file,
    new Uint8Array(paddedSize(file.size) - file.size),
  ])
  return new Blob([...parts, new Uint8Array(END_BYTES)])
}
