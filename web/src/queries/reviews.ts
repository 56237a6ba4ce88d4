// The query of the list of reviews.
import { queryOptions } from '@tanstack/react-query'
import { assay } from '../api/client.ts'

/** The reviews of an evaluation. */
export function reviewsQuery(evaluationId: string) {
  return queryOptions({
    queryKey: ['evaluation', evaluationId, 'reviews'],
    queryFn: ({ signal }) => assay.listReviews(evaluationId, { signal }),
  })
}
