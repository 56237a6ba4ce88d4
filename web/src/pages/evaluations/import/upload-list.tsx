// The list of uploads.
import { UploadItems } from './report/upload-items.tsx'
import { useUploads } from './uploads.ts'

export function UploadList() {
  const uploads = useUploads()
  if (uploads.length === 0) return null
  return <UploadItems uploads={uploads} />
}
