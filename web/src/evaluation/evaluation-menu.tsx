// Renames and deletes an evaluation, for keys that may write. Its dialogs are loaded when they are first wanted.
import type { Evaluation } from 'assay-client'
import { lazy, Suspense, useState } from 'react'
import { Menu } from '../parts/menu.tsx'
import { loadDetailPages } from '../read-ahead.ts'
import styles from './head.module.css'

const RenameDialog = lazy(async () => ({ default: (await loadDetailPages()).RenameDialog }))
const DeleteDialog = lazy(async () => ({ default: (await loadDetailPages()).DeleteDialog }))

export function EvaluationMenu({ evaluation }: { evaluation: Evaluation }) {
  const [asked, setAsked] = useState<'rename' | 'delete'>()
  const about = { evaluation, onClose: () => setAsked(undefined) }
  return (
    <>
      <Menu
        className={styles.more}
        title="Rename, delete"
        label={
          <>
            <span className="unseen">More</span>⋯
          </>
        }
      >
        <div className="options">
          <button type="button" className="plain" onClick={() => setAsked('rename')}>
            Rename…
          </button>
          <button type="button" className="plain" onClick={() => setAsked('delete')}>
            Delete…
          </button>
        </div>
      </Menu>
      <Suspense>
        {asked === 'rename' && <RenameDialog {...about} />}
        {asked === 'delete' && <DeleteDialog {...about} />}
      </Suspense>
    </>
  )
}
