// Shows why an upload failed, and whether the file was stored.
import { AssayError } from 'assay-client'
import styles from '../import.module.css'
import type { Upload } from '../uploads.ts'
import { ColumnRoles } from './column-roles.tsx'
import { FileName } from './file-name.tsx'
import { FilePositions } from './file-positions.tsx'
import { pageText } from './report-texts.ts'

const MIGHT_BE_STORED = 'The file might already be stored. Import it again. Existing records are not changed.'

export function UploadError({ upload, error }: { upload: Upload; error: unknown }) {
  if (!(error instanceof AssayError)) {
    return (
      <div className={styles.report}>
        <p>
          <FileName upload={upload} />: the connection closed, or the file cannot be read.
        </p>
        <p>{MIGHT_BE_STORED}</p>
      </div>
    )
  }
  const { code, detail, errors, errorCount, report } = error
  const isInDetail = /nothing was stored/i.test(detail)
  return (
    <div className={styles.report}>
      <p>
        <FileName upload={upload} /> <span className="worse">was not imported</span>
        {report && <span className="muted"> (format: {report.format})</span>}
      </p>
      <p>
        {/* Only the service sends a code. A proxy does not know whether the file was stored. */}
        {pageText(detail)} {code === undefined ? MIGHT_BE_STORED : !isInDetail && 'Nothing was stored.'}
      </p>
      {report && <ColumnRoles columns={report.columns} />}
      {errorCount > 1 && <FilePositions title="Errors" count={errorCount} positions={errors} />}
    </div>
  )
}
