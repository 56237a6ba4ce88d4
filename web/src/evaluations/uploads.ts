// Files on their way into the store, one after the other, and what became of them. They outlive the page that began them.
import { AssayError, type ImportFileQuery, type ImportReport } from 'assay-client'
import { useSyncExternalStore } from 'react'
import { assay, queryClient } from '../api.ts'

export type ImportChoices = Pick<ImportFileQuery, 'format' | 'evaluation' | 'skip_invalid' | 'dry_run'>

export interface Upload {
  id: number
  file: File
  choices: ImportChoices
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled'
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

export function upload(files: Iterable<File>, choices: ImportChoices): void {
  for (const file of files) {
    const id = nextId++
    controllers.set(id, new AbortController())
    show([{ id, file, choices, state: 'waiting', sentBytes: 0 }, ...uploads])
    queue = queue.then(() => send(id, file, choices))
  }
}

export function cancelUpload(id: number): void {
  controllers.get(id)?.abort()
  change(id, { state: 'cancelled' })
}

export function dismissUpload(id: number): void {
  show(uploads.filter((one) => one.id !== id))
}

/** Those that wait would be sent with the next key. */
export function forgetUploads(): void {
  for (const controller of controllers.values()) controller.abort()
  show([])
}

async function send(id: number, file: File, choices: ImportChoices): Promise<void> {
  const signal = controllers.get(id)?.signal
  if (!signal || signal.aborted) return
  change(id, { state: 'sending' })
  try {
    const onProgress = (sentBytes: number) => change(id, { sentBytes })
    const report = await assay.importFile(file, { ...choices, name: file.name }, { signal, onProgress })
    change(id, { state: 'done', report })
  } catch (error) {
    if (!signal.aborted) change(id, { state: 'failed', error })
    // A refused file changes nothing; of all else that is not known.
    if (error instanceof AssayError) return
  } finally {
    controllers.delete(id)
  }
  await queryClient.invalidateQueries()
}

function change(id: number, to: Partial<Upload>): void {
  show(uploads.map((one) => (one.id === id ? { ...one, ...to } : one)))
}

function show(next: Upload[]): void {
  uploads = next
  for (const listener of listeners) listener()
}
