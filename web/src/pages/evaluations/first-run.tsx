// The empty state of the evaluations page: how to import the first results. It is replaced when they arrive.
import { useCanWrite } from '../../api/key.ts'
import { FileButton } from './import/file-button.tsx'
import styles from './import/import.module.css'
import { ImportOptions, importFormats } from './import/import-options.tsx'
import { ReadOnlyHint } from './import/import-section.tsx'
import { ImportSnippets } from './import/import-snippets.tsx'
import { UploadList } from './import/upload-list.tsx'

export function FirstRun() {
  const mayWrite = useCanWrite()
  return (
    <main className={styles.firstRun}>
      <h1>Import your results</h1>
      <p className="muted">
        No evaluations yet. Import files of these formats:{' '}
        {importFormats.map(([, label]) => label).join('; ')}.
      </p>
      {mayWrite ? (
        <>
          <div className={styles.dropZone}>
            <p>Drop files anywhere on this page, or</p>
            <FileButton className="primary" />
          </div>
          <UploadList />
          <details>
            <summary>Options</summary>
            <ImportOptions />
          </details>
        </>
      ) : (
        <p>
          <ReadOnlyHint />
        </p>
      )}
      <h2>Or use a command or the API</h2>
      <ImportSnippets />
      <p className="muted" role="status">
        This page updates when the first results arrive.
      </p>
    </main>
  )
}
