// Starts uploads. The code that sends files is loaded with the first one.
import { lazyModule } from '../../../api/lazy-modules.ts'
import { openImportDialog } from './dialog-state.ts'
import { type ImportSettings, sessionSignal } from './uploads.ts'

const loadSender = lazyModule(() => import('./send-files.ts'))

export function uploadFiles(files: Iterable<File>, options: ImportSettings): void {
  // After a sign-out, the files would be sent with the next key.
  const signal = sessionSignal()
  // The browser empties its list of files when the event handler returns.
  const fileList = [...files]
  // The dialog has the progress and the reports.
  if (fileList.length > 0) openImportDialog()
  void loadSender().then(({ sendFiles }) => {
    if (!signal.aborted) sendFiles(fileList, options)
  })
}
