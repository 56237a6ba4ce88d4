// The results of one question, and words for their numbers.
import type { ReviewReport } from 'assay-client'
import { formatDecimal } from '../../../format/numbers.ts'

export type AnswerResult = ReviewReport['results'][number]
type Pair = AnswerResult['pairs'][number]

export const percent = (share: number) => formatDecimal(share * 100, 0)

/** The scale of Landis and Koch. */
const WORDS: [least: number, word: string][] = [
  [0.81, 'almost perfect'],
  [0.61, 'substantial'],
  [0.41, 'moderate'],
  [0.21, 'fair'],
  [0, 'slight'],
  [-1, 'poor'],
]

export function agreementWord({ kappa }: Pair): string | undefined {
  return kappa === null ? undefined : WORDS.find(([least]) => kappa >= least)?.[1]
}

/** The rows with a dispute about any question, in the order of the review. */
export function disputedIds({ results }: ReviewReport): string[] {
  return [...new Set(results.flatMap((each) => each.disputed_rows.map(({ scenario_id }) => scenario_id)))]
}
