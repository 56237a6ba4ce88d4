// Uploads with their progress or result, and the totals of several imports.
import { X } from 'lucide'
import { formatBytes, pluralize } from '../../../../format/numbers.ts'
import { Button, IconButton } from '../../../../ui/button.tsx'
import styles from '../import.module.css'
import { cancelUpload, dismissUpload, type Upload } from '../uploads.ts'
import { FileName } from './file-name.tsx'
import { NextStep } from './next-step.tsx'
import { totalsText } from './report-texts.ts'
import { UploadError } from './upload-error.tsx'
import { UploadReport } from './upload-report.tsx'

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
