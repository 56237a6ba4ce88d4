// The queue of uploads and their results. It is stored outside of React, so that uploads continue when the page changes.
import { AssayError, type ImportFileQuery, type ImportReport } from 'assay-client'
import { useSyncExternalStore } from 'react'
import { assay, queryClient } from '../../../api/client.ts'

export type ImportSettings = Pick<ImportFileQuery, 'format' | 'evaluation' | 'skip_invalid' | 'dry_run'>

export interface Upload {
  id: number
  file: File
  options: ImportSettings
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'canceled'
  sentBytes: number
  report?: ImportReport
  error?: unknown
}

let uploads: Upload[] = []
let nextId = 0
let queue = Promise.resolve()
const controllers = new Map<number, AbortController>()
const listeners = new Set<() => void>()

export function useUploads(): Upload[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => uploads,
  )
}

export function upload(files: Iterable<File>, options: ImportSettings): void {
  for (const file of files) {
    const id = nextId++
    controllers.set(id, new AbortController())
    setUploads([{ id, file, options, state: 'waiting', sentBytes: 0 }, ...uploads])
    queue = queue.then(() => send(id, file, options))
  }
}

export function cancelUpload(id: number): void {
  controllers.get(id)?.abort()
  updateUpload(id, { state: 'canceled' })
}

export function dismissUpload(id: number): void {
  setUploads(uploads.filter((upload) => upload.id !== id))
}

/** Cancels all uploads on sign-out: waiting ones would be sent with the next key. */
export function clearUploads(): void {
  for (const controller of controllers.values()) controller.abort()
  setUploads([])
}

async function send(id: number, file: File, options: ImportSettings): Promise<void> {
  const signal = controllers.get(id)?.signal
  if (!signal || signal.aborted) return
  updateUpload(id, { state: 'sending' })
  try {
    const onProgress = (sentBytes: number) => updateUpload(id, { sentBytes })
    const report = await assay.importFile(file, { ...options, name: file.name }, { signal, onProgress })
    updateUpload(id, { state: 'done', report })
  } catch (error) {
    if (!signal.aborted) updateUpload(id, { state: 'failed', error })
    // An error of the service means that nothing was stored. After other errors, the file might be stored.
    if (error instanceof AssayError && error.code !== undefined) return
  } finally {
    controllers.delete(id)
  }
  await queryClient.invalidateQueries()
}

function updateUpload(id: number, changes: Partial<Upload>): void {
  setUploads(uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))
}

function setUploads(newUploads: Upload[]): void {
  uploads = newUploads
  for (const listener of listeners) listener()
}
