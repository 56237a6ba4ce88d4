// Opens the dialog in which the user confirms the columns of a table. It is loaded with the first table.
import { Suspense } from 'react'
import { lazyComponent } from '../../../../api/lazy-modules.ts'
import { useUploads } from '../uploads.ts'

const ReviewDialog = lazyComponent(async () => (await import('./review-dialog.tsx')).ReviewDialog)

export function TableReview() {
  const upload = useUploads().find(({ state }) => state === 'review')
  if (!upload?.review) return null
  return (
    <Suspense>
      <ReviewDialog key={upload.id} upload={upload} review={upload.review} />
    </Suspense>
  )
}
