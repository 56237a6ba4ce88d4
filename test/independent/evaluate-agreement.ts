// Computes the agreement of the reviewers in the reviews that compare_agreement.py writes to standard input, as the report of a
// review has it, and prints it as JSON.
import { text } from 'node:stream/consumers'
import type { ReviewAnswer } from '../../src/schema/reviews/answers.ts'
import type { Review } from '../../src/schema/reviews/reviews.ts'
import { buildReport } from '../../src/store/reviews/report.ts'

type GivenAnswer = Pick<ReviewAnswer, 'evaluator' | 'by' | 'is_decision' | 'value'>
/** The answers about each row. */
type Rows = GivenAnswer[][]

const answered_at = '2026-01-01T00:00:00.000Z'
const texts = { labels: [], question: null, description: null }
const review: Review = {
  id: 'review',
  evaluation_id: 'evaluation',
  name: null,
  instructions: null,
  filters: {},
  base_id: null,
  sample: null,
  questions: [
    { evaluator: 'verdict', type: 'verdict', ...texts },
    { evaluator: 'number', type: 'number', ...texts },
  ],
  reviewers_per_row: 3,
  overlap: 0,
  pairs: null,
  created_at: answered_at,
  updated_at: answered_at,
}

const reviews: Rows[] = JSON.parse(await text(process.stdin))
process.stdout.write(JSON.stringify(reviews.map((rows) => reportOf(rows).results)))

function reportOf(rows: Rows) {
  const reviewedRows = rows.map((answers, position) => ({
    position,
    scenario_id: `${position}`,
    answers: answers.map((answer) => ({ ...answer, labels: [], note: null, answered_at })),
    needed: 3,
    pair: undefined,
  }))
  return buildReport(review, { rows: reviewedRows, warnings: [] })
}
