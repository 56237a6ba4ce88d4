// The list of uploads and their results. It is stored outside of React, so that uploads continue when the page changes.
import type { ImportColumn, ImportFileQuery, ImportReport } from 'assay-client'
import { useSyncExternalStore } from 'react'
import { onKeyChange } from '../../../api/session.ts'
import { closeImportDialog } from './dialog-state.ts'
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

let uploads: Upload[] = []
let nextId = 0
const controllers = new Map<number, AbortController>()
const listeners = new Set<() => void>()

// Uploads of one key must not continue with the next.
onKeyChange(clearUploads)

export function useUploads(): Upload[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => uploads,
  )
}

/** Adds a waiting upload. Returns the signal that cancels it. */
export function addUpload(upload: Pick<Upload, 'name' | 'content' | 'companionCount' | 'options'>) {
  const id = nextId++
  const controller = new AbortController()
  controllers.set(id, controller)
  setUploads([{ ...upload, id, state: 'waiting', sentBytes: 0 }, ...uploads])
  return { id, signal: controller.signal }
}

export function updateUpload(id: number, changes: Partial<Upload>): void {
  setUploads(uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))
}

export function cancelUpload(id: number): void {
  controllers.get(id)?.abort()
  updateUpload(id, { state: 'canceled' })
}

export function dismissUpload(id: number): void {
  controllers.delete(id)
  setUploads(uploads.filter((upload) => upload.id !== id))
}

function clearUploads(): void {
  for (const controller of controllers.values()) controller.abort()
  controllers.clear()
  closeImportDialog()
  setUploads([])
}

function setUploads(newUploads: Upload[]): void {
  uploads = newUploads
  for (const listener of listeners) listener()
}
