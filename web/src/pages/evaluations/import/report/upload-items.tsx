// Uploads with their progress or result, and the totals of several imports.
import { Link } from '@tanstack/react-router'
import { AssayError } from 'assay-client'
import { X } from 'lucide'
import { formatBytes, pluralize } from '../../../../format/numbers.ts'
import { Button, buttonClass, IconButton } from '../../../../ui/button.tsx'
import styles from '../import.module.css'
import { cancelUpload, dismissUpload, isImportDialogOpen, type Upload } from '../uploads.ts'
import { FilePositions } from './file-positions.tsx'
import { pageText, totalsText } from './report-texts.ts'
import { ColumnRoles, FileName, UploadReport } from './upload-report.tsx'

export function UploadItems({ uploads }: { uploads: Upload[] }) {
  return (
    <div className={styles.uploadList}>
      <Totals uploads={uploads} />
      <NextStep uploads={uploads} />
      <ul className={styles.uploads} aria-label="Imports">
        {uploads.map((upload) => (
          <li key={upload.id}>
            <UploadItem upload={upload} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Totals({ uploads }: { uploads: Upload[] }) {
  const reports = uploads.flatMap(({ report }) => (report?.stored ? [report] : []))
  if (reports.length < 2) return null
  return (
    <p>
      {pluralize(reports.length, 'file')} imported: {totalsText(reports)}.
    </p>
  )
}

function UploadItem({ upload }: { upload: Upload }) {
  const isActive = !['done', 'failed', 'canceled'].includes(upload.state)
  return (
    <>
      <div className={styles.uploadStatus} role="status">
        <UploadStatus upload={upload} />
      </div>
      {isActive ? (
        <Button size="small" onClick={() => cancelUpload(upload.id)}>
          Cancel<span className="sr-only"> {upload.name}</span>
        </Button>
      ) : (
        <IconButton
          icon={X}
          size="small"
          label={`Dismiss ${upload.name}`}
          onClick={() => dismissUpload(upload.id)}
        />
      )}
    </>
  )
}

function UploadStatus({ upload }: { upload: Upload }) {
  const { state, report, error } = upload
  if (report) return <UploadReport upload={upload} report={report} />
  if (state === 'failed') return <UploadError upload={upload} error={error} />
  if (state === 'canceled') return <Canceled upload={upload} />
  if (state === 'sending' || state === 'checking') return <Progress upload={upload} />
  return (
    <p>
      <FileName upload={upload} />: {state === 'review' ? 'check the columns.' : 'waiting.'}
    </p>
  )
}

/** The service can have stored a file before it noticed the cancellation. */
function Canceled({ upload }: { upload: Upload }) {
  return (
    <p>
      <FileName upload={upload} />: canceled.{' '}
      {isSent(upload)
        ? 'The file was sent already. Check the list: it may be stored.'
        : 'Nothing was stored.'}
    </p>
  )
}

function Progress({ upload }: { upload: Upload }) {
  const { name, content, sentBytes, state } = upload
  const isProcessing = state === 'checking' || isSent(upload)
  return (
    <p className={styles.progress}>
      <FileName upload={upload} />
      <progress
        aria-label={`Upload of ${name}`}
        max={content.size}
        {...(!isProcessing && { value: sentBytes })}
      />
      {/* Screen readers announce only the start and the end; the progress bar has the details. */}
      <span className="muted" aria-hidden={!isProcessing}>
        {state === 'checking'
          ? 'checking…'
          : isProcessing
            ? 'processing…'
            : `${formatBytes(sentBytes)} of ${formatBytes(content.size)}`}
      </span>
    </p>
  )
}

function isSent({ sentBytes, content }: Upload): boolean {
  return sentBytes >= content.size
}

/** The button after an import: opens the evaluation, or compares two of them. */
function NextStep({ uploads }: { uploads: Upload[] }) {
  if (uploads.some(({ state }) => !['done', 'failed', 'canceled'].includes(state))) return null
  // The newest upload is first, but the older evaluation is the baseline.
  const imported = uploads.toReversed().flatMap(({ report }) => (report?.stored ? report.evaluations : []))
  const ids = [...new Set(imported.map(({ id }) => id))]
  const [first] = ids
  const look = {
    className: buttonClass({ variant: 'primary' }),
    onClick: () => isImportDialogOpen.set(false),
  }
  if (ids.length === 2)
    return (
      <p>
        <Link to="/compare" search={{ evaluation: ids }} {...look}>
          Compare 2
        </Link>
      </p>
    )
  if (ids.length !== 1 || first === undefined) return null
  return (
    <p>
      <Link to="/evaluations/$evaluationId" params={{ evaluationId: first }} {...look}>
        Open
      </Link>
    </p>
  )
}

const MIGHT_BE_STORED = 'The file might already be stored. Import it again. Existing records are not changed.'

/** Shows why an upload failed, and whether the file was stored. */
function UploadError({ upload, error }: { upload: Upload; error: unknown }) {
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
