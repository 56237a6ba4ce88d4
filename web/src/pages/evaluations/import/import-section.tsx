// The import section below the list: a file button, the uploads, and collapsible options and commands.

import { useCanWrite, useKey } from '../../../api/key.ts'
import { setPreference, usePreference } from '../../../state/preferences.ts'
import { FileButton } from './file-button.tsx'
import styles from './import.module.css'
import { ImportOptions } from './import-options.tsx'
import { ImportSnippets } from './import-snippets.tsx'
import { UploadList } from './upload-list.tsx'
import { useUploads } from './uploads.ts'

const PREFERENCE = 'evaluations.import'

/** With `hasSpace` below a short list, options and commands are open until the first upload. */
export function ImportSection({ hasSpace }: { hasSpace: boolean }) {
  const mayWrite = useCanWrite()
  const preferredValue = usePreference(PREFERENCE)
  const uploads = useUploads()
  const isOpen = preferredValue === undefined ? hasSpace && uploads.length === 0 : preferredValue === 'open'
  return (
    <section className={styles.strip} aria-labelledby="import">
      <div className={styles.importBar}>
        <h2 id="import">Import your results</h2>
        {mayWrite ? (
          <>
            <FileButton />
            <span className="muted">or drop them anywhere on this page</span>
          </>
        ) : (
          <ReadOnlyHint />
        )}
        <button
          type="button"
          className="plain"
          aria-expanded={isOpen}
          onClick={() => setPreference(PREFERENCE, isOpen ? 'closed' : 'open')}
        >
          {mayWrite ? 'Options and commands' : 'Commands'}{' '}
          <span aria-hidden="true">{isOpen ? '▴' : '▾'}</span>
        </button>
      </div>
      <UploadList />
      {isOpen && (
        <>
          {mayWrite && <ImportOptions />}
          <ImportSnippets />
        </>
      )}
    </section>
  )
}

/** Empty until the key is loaded. */
export function ReadOnlyHint() {
  const { data: key } = useKey()
  if (!key) return null
  return (
    <span className="muted">
      This key is read-only. To import, use a key with the <code>write</code> scope.
    </span>
  )
}
