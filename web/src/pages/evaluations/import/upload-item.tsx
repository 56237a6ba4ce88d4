// One upload with its progress or result.
import { formatBytes } from '../../../format/numbers.ts'
import { FileName } from './file-name.tsx'
import styles from './import.module.css'
import { UploadError } from './upload-error.tsx'
import { UploadReport } from './upload-report.tsx'
import { cancelUpload, dismissUpload, type Upload } from './uploads.ts'

export function UploadItem({ upload }: { upload: Upload }) {
  const isActive = upload.state === 'waiting' || upload.state === 'sending'
  return (
    <>
      <div className={styles.uploadStatus} role="status">
        <UploadStatus upload={upload} />
      </div>
      {isActive ? (
        <button type="button" onClick={() => cancelUpload(upload.id)}>
          Cancel<span className="sr-only"> {upload.name}</span>
        </button>
      ) : (
        <button
          type="button"
          className="plain"
          aria-label={`Dismiss ${upload.name}`}
          onClick={() => dismissUpload(upload.id)}
        >
          ✕
        </button>
      )}
    </>
  )
}

function UploadStatus({ upload }: { upload: Upload }) {
  const { state, report, error } = upload
  if (report) return <UploadReport upload={upload} report={report} />
  if (state === 'failed') return <UploadError upload={upload} error={error} />
  if (state === 'canceled') return <Canceled upload={upload} />
  if (state === 'waiting') {
    return (
      <p>
        <FileName upload={upload} />: waiting.
      </p>
    )
  }
  return <Progress upload={upload} />
}

/** The service can have stored a file before it noticed the cancellation. */
function Canceled({ upload }: { upload: Upload }) {
  return (
    <p>
      <FileName upload={upload} />: canceled.{' '}
      {isSent(upload) && 'The file was sent already. Check the list: it may be stored.'}
    </p>
  )
}

function Progress({ upload }: { upload: Upload }) {
  const { name, content, sentBytes } = upload
  return (
    <p className={styles.progress}>
      <FileName upload={upload} />
      <progress
        aria-label={`Upload of ${name}`}
        max={content.size}
        {...(!isSent(upload) && { value: sentBytes })}
      />
      {/* Screen readers announce only the start and the end; the progress bar has the details. */}
      <span className="muted" aria-hidden={!isSent(upload)}>
        {isSent(upload) ? 'processing…' : `${formatBytes(sentBytes)} of ${formatBytes(content.size)}`}
      </span>
    </p>
  )
}

function isSent({ sentBytes, content }: Upload): boolean {
  return sentBytes >= content.size
}
