// The import dialog.
import { Dialog } from '../../../ui/messages/dialog.tsx'
import { closeImportDialog } from './dialog-state.ts'
import { ImportForm } from './import-form.tsx'

export function ImportDialog() {
  return (
    <Dialog title="Import results" isWide onClose={closeImportDialog}>
      <ImportForm />
    </Dialog>
  )
}
