// The list of uploads with their progress or result.
import { Suspense } from 'react'
import { lazyComponent } from '../../../api/lazy-modules.ts'
import { formatBytes } from '../../../format/numbers.ts'
import styles from './import.module.css'
import { cancelUpload, dismissUpload, type Upload, useUploads } from './uploads.ts'

const UploadReport = lazyComponent(async () => (await import('./upload-report.tsx')).UploadReport)
const UploadError = lazyComponent(async () => (await import('./upload-error.tsx')).UploadError)

export function UploadList() {
  const uploads = useUploads()
  if (uploads.length === 0) return null
  return (
    <ul className={styles.uploads} aria-label="Imports">
      {uploads.map((upload) => (
        <li key={upload.id}>
          <UploadItem upload={upload} />
        </li>
      ))}
    </ul>
  )
}

function UploadItem({ upload }: { upload: Upload }) {
  const isActive = upload.state === 'waiting' || upload.state === 'sending'
  return (
    <>
      <div className={styles.uploadStatus} role="status">
        <Suspense>
          <UploadStatus upload={upload} />
        </Suspense>
      </div>
      {isActive ? (
        <button type="button" onClick={() => cancelUpload(upload.id)}>
          Cancel<span className="sr-only"> {upload.file.name}</span>
        </button>
      ) : (
        <button
          type="button"
          className="plain"
          aria-label={`Dismiss ${upload.file.name}`}
          onClick={() => dismissUpload(upload.id)}
        >
          ✕
        </button>
      )}
    </>
  )
}

function UploadStatus({ upload }: { upload: Upload }) {
  const { file, state, sentBytes, report, error } = upload
  if (report) return <UploadReport upload={upload} report={report} />
  if (state === 'failed') return <UploadError file={file} error={error} />
  if (state === 'canceled') return <Canceled file={file} isSent={sentBytes >= file.size} />
  if (state === 'waiting') return <p>{file.name}: waiting.</p>
  return <Progress file={file} sentBytes={sentBytes} />
}

/** The service can have stored a file before it noticed the cancellation. */
function Canceled({ file, isSent }: { file: File; isSent: boolean }) {
  return (
    <p>
      {file.name}: canceled. {isSent && 'The file was sent already. Check the list: it may be stored.'}
    </p>
  )
}

function Progress({ file, sentBytes }: { file: File; sentBytes: number }) {
  const isSent = sentBytes >= file.size
  return (
    <p className={styles.progress}>
      {file.name}
      <progress
        aria-label={`Upload of ${file.name}`}
        max={file.size}
        {...(!isSent && { value: sentBytes })}
      />
      {/* Screen readers announce only the start and the end; the progress bar has the details. */}
      <span className="muted" aria-hidden={!isSent}>
        {isSent ? 'processing…' : `${formatBytes(sentBytes)} of ${formatBytes(file.size)}`}
      </span>
    </p>
  )
}
