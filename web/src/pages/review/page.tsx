// Page of a review: for the link of a reviewer, one row after the other with a form; for a key of the project, the results.
import { getRouteApi } from '@tanstack/react-router'
import { useRestriction } from '../../api/restriction.ts'
import { Decision } from './decision/decision.tsx'
import { Overview } from './overview/overview.tsx'
import { ReviewerPage } from './reviewer/reviewer-page.tsx'

const route = getRouteApi('/reviews/$reviewId')

export function ReviewPage() {
  const { reviewId } = route.useParams()
  const { row } = route.useSearch()
  const isReviewer = useRestriction() !== null
  if (isReviewer) return <ReviewerPage key={reviewId} id={reviewId} />
  if (row === undefined) return <Overview key={reviewId} id={reviewId} />
  return <Decision key={reviewId} id={reviewId} row={row} />
}
