// Whether the rows that people judged are a random sample of an evaluation.
import type { ComparisonCache } from '../compare/comparison-cache.ts'
import type { Connection } from '../dialect/dialect.ts'
import type { EvaluationInfo } from '../evaluations/evaluations.ts'
import { listReviews } from '../reviews/reviews.ts'
import { readSample } from '../reviews/rows.ts'

const ADVICE = 'Judge all rows of a review that has a sample and no filters.'

/** Whether a row with a verdict of the checked evaluator also has a verdict of people. */
export const JUDGED = 1
export const UNJUDGED = 2

interface JudgedRows {
  connection: Connection
  cache: ComparisonCache
  project: number
  evaluation: EvaluationInfo & { id: string }
  /** The evaluator of people. */
  evaluator: string
  /** JUDGED or UNJUDGED by position. Rows without a verdict of the checked evaluator are 0. */
  judgments: Uint8Array
  /** Whether the request selects rows. */
  hasFilters: boolean
}

/**
 * Why the judged rows are not a random sample of all rows, as sentences. Undefined if all rows are judged, or exactly the rows of the
 * sample of the review that asks for the evaluator of people.
 */
export async function findSampleGap(rows: JudgedRows): Promise<string | undefined> {
  const { connection, cache, project, evaluation, evaluator, judgments, hasFilters } = rows
  if (hasFilters) return 'The filters of this request can select rows by their verdicts.'
  if (!judgments.includes(UNJUDGED)) return undefined
  const reviews = await listReviews(connection, project, evaluation.id)
  const review = reviews.find(({ questions }) =>
    questions.some((question) => question.evaluator === evaluator),
  )
  if (!review) return `No review asks for '${evaluator}', so it is not known how they were chosen. ${ADVICE}`
  if (Object.keys(review.filters).length > 0)
    return `The review '${review.id}' has only rows that match its filters. ${ADVICE}`
  const sample = await readSample(connection, { review, evaluation }, cache)
  const count = (judgment: number) => sample.filter(({ position }) => judgments[position] === judgment).length
  const missing = count(UNJUDGED)
  if (missing > 0)
    return `${missing} of the ${sample.length} rows of the review '${review.id}' have no verdict: they are not answered, disputed, or answered with "cannot tell".`
  const outside = judgments.filter((judgment) => judgment === JUDGED).length - count(JUDGED)
  if (outside === 0) return undefined
  return `${outside} rows with a verdict are not in the sample of the review '${review.id}'.`
}
