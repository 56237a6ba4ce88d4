// Page of a review: for the link of a reviewer, one row after the other with a form; for a key of the project, the results.
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useRestriction } from '../../api/restriction.ts'
import { lazyComponent } from '../../ui/messages/lazy-component.tsx'
import { Loading } from '../../ui/messages/loading.tsx'
import { Overview } from './overview/overview.tsx'

const route = getRouteApi('/reviews/$reviewId')

// The page of the results shows no row, so it does not load what these need.
const ReviewerPage = lazyComponent(async () => (await import('./reviewer/reviewer-page.tsx')).ReviewerPage)
const Decision = lazyComponent(async () => (await import('./decision/decision.tsx')).Decision)

export function ReviewPage() {
  const { reviewId } = route.useParams()
  const { row } = route.useSearch()
  const isReviewer = useRestriction() !== null
  if (!isReviewer && row === undefined) return <Overview key={reviewId} id={reviewId} />
  return (
    <Suspense fallback={<Loading />}>
      {isReviewer ? (
        <ReviewerPage key={reviewId} id={reviewId} />
      ) : (
        <Decision key={reviewId} id={reviewId} row={row ?? ''} />
      )}
    </Suspense>
  )
}
