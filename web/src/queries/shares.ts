// The query for share links.
import { queryOptions } from '@tanstack/react-query'
import { assay } from '../api/client.ts'

/** The active links of the project, newest first. */
export const sharesQuery = queryOptions({
  queryKey: ['shares'],
  queryFn: ({ signal }) => assay.listShares({ signal }),
})
