// Renames and deletes an evaluation, for keys with the write scope. The dialogs are loaded on first use.
import type { Evaluation } from 'assay-client'
import { Suspense, useState } from 'react'
import { lazyComponent } from '../../../api/lazy-modules.ts'
import { Menu } from '../../../ui/menu.tsx'
import styles from './header.module.css'

const RenameDialog = lazyComponent(async () => (await import('./evaluation-dialogs.tsx')).RenameDialog)
const DeleteDialog = lazyComponent(async () => (await import('./evaluation-dialogs.tsx')).DeleteDialog)

export function EvaluationMenu({ evaluation }: { evaluation: Evaluation }) {
  const [openDialog, setOpenDialog] = useState<'rename' | 'delete'>()
  const dialogProps = { evaluation, onClose: () => setOpenDialog(undefined) }
  return (
    <>
      <Menu
        className={styles.more}
        title="Rename or delete"
        label={
          <>
            <span className="sr-only">More</span>⋯
          </>
        }
      >
        <div className="options">
          <button type="button" className="plain" onClick={() => setOpenDialog('rename')}>
            Rename…
          </button>
          <button type="button" className="plain" onClick={() => setOpenDialog('delete')}>
            Delete…
          </button>
        </div>
      </Menu>
      <Suspense>
        {openDialog === 'rename' && <RenameDialog {...dialogProps} />}
        {openDialog === 'delete' && <DeleteDialog {...dialogProps} />}
      </Suspense>
    </>
  )
}
