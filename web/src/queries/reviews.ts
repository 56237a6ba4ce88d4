// The query of the list of reviews. A file that comparisons share would be part of the first load of all pages.
import { queryOptions } from '@tanstack/react-query'
import { assay } from '../api/client.ts'

export function reviewsQuery(evaluationId: string) {
  return queryOptions({
    queryKey: ['evaluation', evaluationId, 'reviews'],
    queryFn: ({ signal }) => assay.listReviews(evaluationId, { signal }),
  })
}
