// Sends files to the service, one after the other. Files of one lm-evaluation-harness run are sent together.
import { AssayError } from 'assay-client'
import { assay, queryClient } from '../../../api/client.ts'
import { groupFiles } from './file-groups.ts'
import { archiveOf } from './tar.ts'
import { addUpload, type ImportSettings, type Upload, updateUpload } from './uploads.ts'

let queue = Promise.resolve()

export function sendFiles(files: File[], options: ImportSettings): void {
  for (const [main, ...companions] of groupFiles(files)) {
    const content = companions.length > 0 ? archiveOf([main, ...companions]) : main
    enqueue({ name: main.name, content, companionCount: companions.length, options })
  }
}

/** Imports a file after its dry run. */
export function sendAgain({ name, content, companionCount, options }: Upload): void {
  enqueue({ name, content, companionCount, options: { ...options, dry_run: undefined } })
}

function enqueue(upload: Parameters<typeof addUpload>[0]): void {
  const { id, signal } = addUpload(upload)
  queue = queue.then(() => send(id, upload, signal))
}

async function send(
  id: number,
  { name, content, options }: Pick<Upload, 'name' | 'content' | 'options'>,
  signal: AbortSignal,
): Promise<void> {
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
