// The list of uploads. Its items are loaded with the first upload.
import { Suspense } from 'react'
import { lazyComponent } from '../../../api/lazy-modules.ts'
import styles from './import.module.css'
import { useUploads } from './uploads.ts'

const UploadItem = lazyComponent(async () => (await import('./upload-item.tsx')).UploadItem)

export function UploadList() {
  const uploads = useUploads()
  if (uploads.length === 0) return null
  return (
    <ul className={styles.uploads} aria-label="Imports">
      {uploads.map((upload) => (
        <li key={upload.id}>
          <Suspense>
            <UploadItem upload={upload} />
          </Suspense>
        </li>
      ))}
    </ul>
  )
}
