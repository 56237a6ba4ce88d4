// Renames and deletes an evaluation, for keys with the write scope. The dialogs are loaded on first use.
import type { Evaluation } from 'assay-client'
import { Ellipsis, Pencil, Trash2 } from 'lucide'
import { Suspense, useState } from 'react'
import { lazyComponent } from '../../../api/lazy-modules.ts'
import { Menu, MenuItem, MenuItems } from '../../../ui/menus/menu.tsx'

const RenameDialog = lazyComponent(async () => (await import('./evaluation-dialogs.tsx')).RenameDialog)
const DeleteDialog = lazyComponent(async () => (await import('./evaluation-dialogs.tsx')).DeleteDialog)

export function EvaluationMenu({ evaluation }: { evaluation: Evaluation }) {
  const [openDialog, setOpenDialog] = useState<'rename' | 'delete'>()
  const dialogProps = { evaluation, onClose: () => setOpenDialog(undefined) }
  return (
    <>
      <Menu label="More" icon={Ellipsis} isIconOnly align="end">
        <MenuItems>
          <MenuItem icon={Pencil} onClick={() => setOpenDialog('rename')}>
            Rename…
          </MenuItem>
          <MenuItem icon={Trash2} onClick={() => setOpenDialog('delete')}>
            Delete…
          </MenuItem>
        </MenuItems>
      </Menu>
      <Suspense>
        {openDialog === 'rename' && <RenameDialog {...dialogProps} />}
        {openDialog === 'delete' && <DeleteDialog {...dialogProps} />}
      </Suspense>
    </>
  )
}
