// Why a file was not taken.
import { AssayError } from 'assay-client'
import styles from './import.module.css'
import { Places } from './places.tsx'

export function UploadFailure({ file, error }: { file: File; error: unknown }) {
  if (!(error instanceof AssayError)) {
    return (
      <div className={styles.report}>
        <p>
          <strong>{file.name}</strong>: the connection broke off, or the file cannot be read.
        </p>
        <p>Whether it was stored is not known. Import it again: what is there already stays as it is.</p>
      </div>
    )
  }
  const { detail, errors, errorCount, report } = error
  const isSaid = /nothing was stored/i.test(detail)
  return (
    <div className={styles.report}>
      <p>
        <strong>{file.name}</strong> <span className="worse">was refused</span>
        {report && <span className="soft"> (read as {report.format})</span>}
      </p>
      <p>
        {detail} {!isSaid && 'Nothing was stored.'}
      </p>
      {errorCount > 1 && <Places title="What does not fit" count={errorCount} places={errors} />}
    </div>
  )
}
