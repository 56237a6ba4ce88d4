// The results of one question, and words for their numbers.
import type { ReviewReport } from 'assay-client'
import { formatDecimal } from '../../../format/numbers.ts'

export type AnswerResult = ReviewReport['results'][number]

export const percent = (share: number) => formatDecimal(share * 100, 0)
