// The list of uploads and their results, and the state of the import dialog. They are stored outside of React, so that uploads
// continue when the page changes.
import type { ImportColumn, ImportFileQuery, ImportReport } from 'assay-client'
import { onKeyChange } from '../../../api/session.ts'
import { createStore } from '../../../state/store.ts'
import type { ColumnChoice } from './table/roles.ts'

export type ImportSettings = Omit<ImportFileQuery, 'name'>

export interface Upload {
  id: number
  /** The name of the file to import. */
  name: string
  /** The file, or an archive of it and the files that belong to it. */
  content: Blob
  /** The number of other files in the archive. */
  companionCount: number
  options: ImportSettings
  /** `checking`: the service reads the columns of a table. `review`: the user chooses their roles. */
  state: 'waiting' | 'checking' | 'review' | 'sending' | 'done' | 'failed' | 'canceled'
  sentBytes: number
  review?: TableReview
  report?: ImportReport
  error?: unknown
}

export interface TableReview {
  columns: ImportColumn[]
  onConfirm: (choices: ColumnChoice[]) => void
}

const uploads = createStore<Upload[]>([])
export const useUploads = uploads.use
/** The current import options. The drop target needs them without the form. */
export const importSettings = createStore<ImportSettings>({})
/** The import dialog opens with the first upload, also if the user drops files on the page. */
export const isImportDialogOpen = createStore(false)
let nextId = 0
const controllers = new Map<number, AbortController>()

// Uploads of one key must not continue with the next.
onKeyChange(clearUploads)

/** Adds a waiting upload. Returns the signal that cancels it. */
export function addUpload(upload: Pick<Upload, 'name' | 'content' | 'companionCount' | 'options'>) {
  const id = nextId++
  const controller = new AbortController()
  controllers.set(id, controller)
  uploads.set([{ ...upload, id, state: 'waiting', sentBytes: 0 }, ...uploads.get()])
  return { id, signal: controller.signal }
}

export function updateUpload(id: number, changes: Partial<Upload>): void {
  uploads.set(uploads.get().map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))
}

export function cancelUpload(id: number): void {
  controllers.get(id)?.abort()
  updateUpload(id, { state: 'canceled' })
}

export function dismissUpload(id: number): void {
  controllers.delete(id)
  uploads.set(uploads.get().filter((upload) => upload.id !== id))
}

function clearUploads(): void {
  for (const controller of controllers.values()) controller.abort()
  controllers.clear()
  isImportDialogOpen.set(false)
  uploads.set([])
}
