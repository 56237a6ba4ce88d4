// How to import results: a drop zone, the uploads, options, and code for programs. The dialog and the first page share it.
import { FileUp } from 'lucide'
import { Fragment } from 'react'
import { useCanWrite, useKey } from '../../../api/key.ts'
import { Icon } from '../../../ui/icon.tsx'
import { CodeExamples } from './code-examples.tsx'
import { FileButton } from './file-button.tsx'
import styles from './import.module.css'
import { ImportOptions, importFormats } from './import-options.tsx'
import { UploadList } from './upload-list.tsx'
import { useUploads } from './uploads.ts'

export function ImportForm() {
  const mayWrite = useCanWrite()
  const uploads = useUploads()
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
            {uploads.length === 0 && <Formats />}
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

/** The names of all formats: tools, tables, and our own. */
function Formats() {
  const labels = importFormats.map(([name, label]) => ({ name, label }))
  const isOwn = ({ name }: { name: string }) => ['scenarios', 'revisions'].includes(name)
  const isTable = ({ name }: { name: string }) => ['parquet', 'table'].includes(name)
  const groups = [
    ['Tools', labels.filter((format) => !isOwn(format) && !isTable(format))],
    ['Tables', labels.filter(isTable)],
    ['Assay', labels.filter(isOwn)],
  ] as const
  return (
    <div className={styles.formats}>
      <p>Detected automatically:</p>
      <dl>
        {groups.map(([group, formats]) => (
          <Fragment key={group}>
            <dt>{group}</dt>
            <dd>{formats.map(({ label }) => label.replace(`${group} `, '')).join(', ')}</dd>
          </Fragment>
        ))}
      </dl>
    </div>
  )
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
