// The rows of a variant in all of its evaluations, as the leaderboard lists them.
import { queryOptions } from '@tanstack/react-query'
import { assay } from '../api/client.ts'

/** The rows whose scores differ the most, with the newest evaluation first. Without texts. */
export function variantRowsQuery(id: string, on: string | undefined) {
  return queryOptions({
    queryKey: ['variant', id, 'rows', on],
    queryFn: ({ signal }) =>
      assay.listLeaderboardRows({ variant_id: `eq.${id}`, on, preview: 1 }, { signal }),
  })
}
