// Which evaluation of a comparison people prefer.
import type { ComparedCandidate } from '../../schema/comparisons.ts'
import type { Preference, ReviewAnswer } from '../../schema/reviews/answers.ts'
import type { PreferenceCounts } from '../../schema/reviews/preferences.ts'
import type { Side } from '../compare/sides.ts'
import type { Connection } from '../dialect/dialect.ts'
import { exactInterval } from '../statistics/agreement.ts'
import { roundRate } from '../statistics/rounding.ts'
import { computeOutcome } from './outcomes.ts'
import { listReviews } from './reviews.ts'

/** Counts the results of rows. Ties are not part of the share. */
export function countPreferences(results: readonly { value: unknown }[]): PreferenceCounts {
  const count = (preference: Preference) => results.filter(({ value }) => value === preference).length
  const [candidate, baseline] = [count('candidate'), count('baseline')]
  return {
    candidate,
    baseline,
    equal: count('equal'),
    both_bad: count('both_bad'),
    share: roundRate(candidate, candidate + baseline),
    interval: exactInterval(candidate, candidate + baseline),
  }
}

/** What people prefer in the reviews that compare a candidate with this baseline. Questions without a result are left out. */
export async function readPreferences(
  connection: Connection,
  project: number,
  baseline: Side,
  candidate: Side,
): Promise<ComparedCandidate['preferences']> {
  const reviews = await listReviews(connection, project, candidate.info.id)
  const compared = reviews.filter(({ base_id, pairs }) => pairs && base_id === baseline.info.id)
  if (compared.length === 0) return []
  const rows = await connection.all<{ answers: string }>(
    'SELECT answers FROM answer WHERE evaluation = ?',
    candidate.key,
  )
  const answers = rows.map(({ answers }) => JSON.parse(answers) as ReviewAnswer[])
  return compared.flatMap(({ id, questions }) =>
    questions.flatMap(({ evaluator }) => {
      const results = answers.flatMap((row) => {
        const own = row.filter((answer) => answer.evaluator === evaluator)
        return computeOutcome('preference', own).result ?? []
      })
      return results.length === 0 ? [] : [{ review_id: id, evaluator, ...countPreferences(results) }]
    }),
  )
}
