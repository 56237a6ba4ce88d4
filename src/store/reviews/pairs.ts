// The pairs of a review of a comparison, and its answers as reviewers see them: by side.
import type { NewAnswer, ReviewAnswer } from '../../schema/reviews/answers.ts'
import type { ReviewPair } from '../../schema/reviews/reviews.ts'
import type { Connection } from '../dialect/dialect.ts'
import type { FoundReview } from './reviews.ts'

export interface RowId {
  id: string
  position: number
}

/** The ids of all scenarios of an evaluation. */
export function readIds(connection: Connection, evaluation: number): Promise<RowId[]> {
  return connection.all<RowId>('SELECT id, position FROM scenario WHERE evaluation = ?', evaluation)
}

/** The pairs of a review by the scenario of the candidate, without deleted rows of the baseline. Undefined for other reviews. */
export async function readPairs(
  connection: Connection,
  { review, base }: FoundReview,
): Promise<Map<string, ReviewPair> | undefined> {
  if (!review.pairs) return undefined
  const ids = new Set(base ? (await readIds(connection, base.key)).map(({ id }) => id) : [])
  const present = review.pairs.filter(({ base_scenario_id }) => ids.has(base_scenario_id))
  return new Map(present.map((pair) => [pair.scenario_id, pair]))
}

/** Answers of a reviewer as they are stored. */
export function fromSides(answers: readonly NewAnswer[], { candidate_side }: ReviewPair): NewAnswer[] {
  return answers.map((answer) => {
    if (answer.value === 'left' || answer.value === 'right')
      return { ...answer, value: answer.value === candidate_side ? 'candidate' : 'baseline' }
    // An invalid value: with a valid one, a reviewer could determine the side of the candidate.
    return {
      ...answer,
      value: answer.value === 'candidate' || answer.value === 'baseline' ? '' : answer.value,
    }
  })
}

/** Stored answers as a reviewer sees them. */
export function toSides(answers: readonly ReviewAnswer[], { candidate_side }: ReviewPair): ReviewAnswer[] {
  const other = candidate_side === 'left' ? 'right' : 'left'
  return answers.map((answer) => {
    if (answer.value === 'candidate') return { ...answer, value: candidate_side }
    return answer.value === 'baseline' ? { ...answer, value: other } : answer
  })
}
