// The results of one question, and words for their numbers.
import type { ReviewReport } from 'assay-client'
import { formatDecimal } from '../../../format/numbers.ts'

export type AnswerResult = ReviewReport['results'][number]

export const percent = (share: number) => formatDecimal(share * 100, 0)

/** The rows with a dispute about any question, in the order of the review. */
export function disputedIds({ results }: ReviewReport): string[] {
  return [...new Set(results.flatMap((each) => each.disputed_rows.map(({ scenario_id }) => scenario_id)))]
}
