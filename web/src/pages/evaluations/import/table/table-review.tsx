// Opens the dialog in which the user confirms the columns of a table.
import { useUploads } from '../uploads.ts'
import { ReviewDialog } from './review-dialog.tsx'

export function TableReview() {
  const upload = useUploads().find(({ state }) => state === 'review')
  if (!upload?.review) return null
  return <ReviewDialog key={upload.id} upload={upload} review={upload.review} />
}
