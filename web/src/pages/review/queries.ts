// The queries of a review. They are not with other queries, which all pages load.
import { queryOptions } from '@tanstack/react-query'
import type { NextReviewRow, ReviewReport, ReviewRow } from 'assay-client'
import { parseExactly } from '../../../../src/json/exact-values.ts'
import { assay } from '../../api/client.ts'

/** Owners watch the progress, and reviewers see which rows are left for them. */
const POLL_MS = 15_000

/** The report, for keys of the project. */
export function reviewQuery(id: string) {
  return queryOptions({
    queryKey: ['review', id, 'report'],
    queryFn: ({ signal }) => assay.getReview(id, { signal }),
    refetchInterval: ({ state }: { state: { data?: ReviewReport | undefined } }) =>
      state.data === undefined ? false : POLL_MS,
  })
}

/** The questions, for a reviewer. The session counts labels itself. */
export function reviewFormQuery(id: string) {
  return queryOptions({
    queryKey: ['review', id, 'form'],
    queryFn: ({ signal }) => assay.getReviewForm(id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The rows in the order of the review, with the answers that the key can read. */
export function reviewRowsQuery(id: string) {
  return queryOptions({
    queryKey: ['review', id, 'rows'],
    queryFn: ({ signal }) => assay.listReviewRows(id, { signal }),
    refetchInterval: POLL_MS,
  })
}

/** The texts of a row, with exact numbers. */
export function reviewRowQuery(id: string, scenarioId: string) {
  return queryOptions({
    queryKey: ['review', id, 'row', scenarioId],
    queryFn: async ({ signal }) => {
      const text = await assay.getReviewRowText(id, scenarioId, { signal })
      return (parseExactly(text) as ReviewRow).scenario
    },
    staleTime: Number.POSITIVE_INFINITY,
    // The default would copy raw JSON numbers, and the copies lose their digits.
    structuralSharing: false,
  })
}

export async function readNextRow(
  id: string,
  after: string | undefined,
  signal: AbortSignal,
): Promise<NextReviewRow> {
  return parseExactly(await assay.getNextReviewRowText(id, { after }, { signal })) as NextReviewRow
}
