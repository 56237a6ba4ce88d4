// The list of uploads. Its items are loaded with the first upload.
import { Suspense } from 'react'
import { lazyComponent } from '../../../api/lazy-modules.ts'
import { useUploads } from './uploads.ts'

const UploadItems = lazyComponent(async () => (await import('./report/upload-items.tsx')).UploadItems)

export function UploadList() {
  const uploads = useUploads()
  if (uploads.length === 0) return null
  return (
    <Suspense>
      <UploadItems uploads={uploads} />
    </Suspense>
  )
}
