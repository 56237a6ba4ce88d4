// Renames and deletes an evaluation, for keys with the write scope. Items and dialogs are loaded on first use.
import type { Evaluation } from 'assay-client'
import { Ellipsis } from 'lucide'
import { Suspense, useState } from 'react'
import { lazyComponent } from '../../../api/lazy-modules.ts'
import { Menu } from '../../../ui/menus/menu.tsx'

const EvaluationItems = lazyComponent(async () => (await import('./evaluation-dialogs.tsx')).EvaluationItems)
const RenameDialog = lazyComponent(async () => (await import('./evaluation-dialogs.tsx')).RenameDialog)
const DeleteDialog = lazyComponent(async () => (await import('./evaluation-dialogs.tsx')).DeleteDialog)

export function EvaluationMenu({ evaluation }: { evaluation: Evaluation }) {
  const [openDialog, setOpenDialog] = useState<'rename' | 'delete'>()
  const dialogProps = { evaluation, onClose: () => setOpenDialog(undefined) }
  return (
    <>
      <Menu label="More" icon={Ellipsis} isIconOnly align="end">
        <Suspense>
          <EvaluationItems onOpen={setOpenDialog} />
        </Suspense>
      </Menu>
      <Suspense>
        {openDialog === 'rename' && <RenameDialog {...dialogProps} />}
        {openDialog === 'delete' && <DeleteDialog {...dialogProps} />}
      </Suspense>
    </>
  )
}
