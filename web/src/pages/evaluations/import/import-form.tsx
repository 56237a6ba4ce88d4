// How to import results: a drop zone, the uploads, options, and code for programs. The dialog and the first page share it.
import { FileUp } from 'lucide'
import { useCanWrite, useKey } from '../../../api/key.ts'
import { Icon } from '../../../ui/icon.tsx'
import { CodeExamples } from './code-examples.tsx'
import { FileButton } from './file-button.tsx'
import styles from './import.module.css'
import { ImportOptions, importFormats } from './import-options.tsx'
import { UploadList } from './upload-list.tsx'

export function ImportForm() {
  const mayWrite = useCanWrite()
  return (
    <>
      {mayWrite ? (
        <>
          <div className={styles.dropZone}>
            <Icon icon={FileUp} />
            <p>
              <strong>Drop files anywhere on this page</strong>, or
            </p>
            <FileButton />
            <p className="quiet" data-tooltip={importFormats.map(([, label]) => label).join('; ')}>
              {formatSummary()}
            </p>
          </div>
          <UploadList />
          <details className={styles.disclosure}>
            <summary>Options</summary>
            <ImportOptions />
          </details>
        </>
      ) : (
        <p>
          <ReadOnlyHint />
        </p>
      )}
      <h3>Import from code</h3>
      <CodeExamples />
    </>
  )
}

/** The first formats, and how many more there are. */
function formatSummary(): string {
  return `${importFormats.length} formats, detected automatically`
}

/** Empty until the key is loaded. */
function ReadOnlyHint() {
  const { data: key } = useKey()
  if (!key) return null
  return (
    <span className="muted">
      This key is read-only. To import, use a key with the <code>write</code> scope.
    </span>
  )
}
