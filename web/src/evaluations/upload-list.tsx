// How far each file is, and what became of it.
import { bytes } from '../format/numbers.ts'
import styles from './import.module.css'
import { UploadFailure } from './upload-failure.tsx'
import { UploadReport } from './upload-report.tsx'
import { cancelUpload, dismissUpload, type Upload, useUploads } from './uploads.ts'

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
  const isUnderWay = upload.state === 'waiting' || upload.state === 'sending'
  return (
    <>
      <div className={styles.said} role="status">
        <Said upload={upload} />
      </div>
      {isUnderWay ? (
        <button type="button" onClick={() => cancelUpload(upload.id)}>
          Cancel<span className="unseen"> {upload.file.name}</span>
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

function Said({ upload }: { upload: Upload }) {
  const { file, state, sentBytes, report, error } = upload
  if (report) return <UploadReport upload={upload} report={report} />
  if (state === 'failed') return <UploadFailure file={file} error={error} />
  if (state === 'cancelled') return <Cancelled file={file} isSent={sentBytes >= file.size} />
  if (state === 'waiting') return <p>{file.name}: waits for its turn.</p>
  return <Progress file={file} sentBytes={sentBytes} />
}

/** The service may have come to its end before it heard of it. */
function Cancelled({ file, isSent }: { file: File; isSent: boolean }) {
  return (
    <p>
      {file.name}: cancelled. {isSent && 'It was sent already: whether it was stored, the list shows.'}
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
      {/* Said aloud are beginning and end, not each piece: those who want to know ask the bar. */}
      <span className="soft" aria-hidden={!isSent}>
        {isSent ? 'is being read…' : `${bytes(sentBytes)} of ${bytes(file.size)}`}
      </span>
    </p>
  )
}
