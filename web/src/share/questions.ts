// What is asked of the API about shared links.
import { queryOptions } from '@tanstack/react-query'
import { assay } from '../api.ts'

/** Those of the project that still work, newest first. */
export const sharesQuestion = queryOptions({
  queryKey: ['shares'],
  queryFn: ({ signal }) => assay.listShares({ signal }),
})
