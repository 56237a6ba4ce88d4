// The error of a failed upload.
import { AssayError } from 'assay-client'
import { FilePositions } from './file-positions.tsx'
import styles from './import.module.css'

export function UploadError({ file, error }: { file: File; error: unknown }) {
  if (!(error instanceof AssayError)) {
    return (
      <div className={styles.report}>
        <p>
          <strong>{file.name}</strong>: the connection closed, or the file cannot be read.
        </p>
        <p>It may have been stored. Import it again: existing records do not change.</p>
      </div>
    )
  }
  const { detail, errors, errorCount, report } = error
  const saysNothingStored = /nothing was stored/i.test(detail)
  return (
    <div className={styles.report}>
      <p>
        <strong>{file.name}</strong> <span className="worse">was rejected</span>
        {report && <span className="muted"> (format: {report.format})</span>}
      </p>
      <p>
        {detail} {!saysNothingStored && 'Nothing was stored.'}
      </p>
      {errorCount > 1 && <FilePositions title="Errors" count={errorCount} positions={errors} />}
    </div>
  )
}
