// What the link of a reviewer can read: the form, the rows and the own answers.
import type { ReviewAnswer } from '../../schema/reviews/answers.ts'
import type { ReviewForm, ReviewRowAnswers } from '../../schema/reviews/reviews.ts'
import type { Connection } from '../dialect/dialect.ts'
import { getScenario, scenarioNotFoundError } from '../scenarios/scenarios.ts'
import { blindPairText, blindText } from './blind.ts'
import { labelsOf } from './outcomes.ts'
import { toSides } from './pairs.ts'
import { countLabels } from './report.ts'
import type { FoundReview } from './reviews.ts'
import { isComplete, ownAnswers, type ReviewedRow, rowsOfReviewer } from './rows.ts'

/** The questions with the labels that this reviewer can see: the suggested ones and the own ones. */
export function buildForm(
  { review }: FoundReview,
  rows: readonly ReviewedRow[],
  reviewer: string,
): ReviewForm {
  const { id, name, instructions } = review
  const questions = review.questions.map(({ evaluator, type, question, description, labels }) => {
    const own = rows.map(({ answers }) =>
      ownAnswers(answers, reviewer).filter((each) => each.evaluator === evaluator),
    )
    const counts = countLabels(own.flatMap((answers) => labelsOf(type, answers) ?? []))
    const used = new Set(counts.map(({ label }) => label))
    const unused = labels.filter((label) => !used.has(label)).map((label) => ({ label, rows: 0 }))
    return { evaluator, type, question, description, labels: [...counts, ...unused] }
  })
  const { progress } = rowsOfReviewer(review, rows, reviewer)
  return { id, name, instructions, reviewer, questions, progress }
}

/** The rows with the answers that the viewer can see. `reviewer` is undefined for a key of the project. */
export function listRows(
  { review }: FoundReview,
  rows: readonly ReviewedRow[],
  reviewer: string | undefined,
): ReviewRowAnswers[] {
  if (reviewer === undefined) return rows.map((row) => toListed(row, row.answers, !isComplete(review, row)))
  const { answered, open } = rowsOfReviewer(review, rows, reviewer)
  const [own, remaining] = [new Set(answered), new Set(open)]
  return rows
    .filter((row) => own.has(row) || remaining.has(row))
    .map((row) => {
      const answers = ownAnswers(row.answers, reviewer)
      return toListed(row, row.pair ? toSides(answers, row.pair) : answers, remaining.has(row))
    })
}

function toListed({ scenario_id }: ReviewedRow, answers: ReviewAnswer[], is_open: boolean): ReviewRowAnswers {
  return { scenario_id, is_open, answers }
}

/** The JSON text of one of the listed rows. Throws scenario-not-found for others, so that a link does not reach other rows. */
export async function readRow(
  connection: Connection,
  { review, evaluation, base }: FoundReview,
  listed: readonly ReviewRowAnswers[],
  scenario_id: string,
): Promise<string> {
  const row = listed.find((each) => each.scenario_id === scenario_id)
  if (!row) throw scenarioNotFoundError(scenario_id)
  const { body } = await getScenario(connection, evaluation.key, scenario_id)
  const pair = review.pairs?.find((each) => each.scenario_id === scenario_id)
  const baseScenario = pair && base && (await getScenario(connection, base.key, pair.base_scenario_id))
  const text = baseScenario ? blindPairText(body, baseScenario.body, pair.candidate_side) : blindText(body)
  return `{"scenario":${text},"answers":${JSON.stringify(row.answers)}}`
}
