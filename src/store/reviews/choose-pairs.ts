// Chooses which rows the reviewers of a comparison see, and the sides of their outputs.
import { randomInt } from 'node:crypto'
import { invalidContent } from '../../errors.ts'
import type { ReviewPair } from '../../schema/reviews/reviews.ts'
import type { ComparisonCache } from '../compare/comparison-cache.ts'
import { JoinedColumns } from '../compare/joined-columns.ts'
import { readSides } from '../compare/sides.ts'
import type { Connection } from '../dialect/dialect.ts'
import type { EvaluationInfo } from '../evaluations/evaluations.ts'
import { readIds } from './pairs.ts'
import type { FoundReview } from './reviews.ts'
import { readSample, readSelection } from './rows.ts'

/** The pairs are one JSON text. More rows than people judge in a month. */
const MAX_PAIRS = 2000

/**
 * The rows of a review that the baseline has too. Rows that the review has already keep their side. Throws
 * invalid-content.
 */
export async function choosePairs(
  connection: Connection,
  found: FoundReview,
  base: EvaluationInfo,
  cache: ComparisonCache,
): Promise<ReviewPair[]> {
  const { review, evaluation } = found
  const sides = await readSides(connection, [base, evaluation])
  const columns = await JoinedColumns.open(connection, sides, 'auto', cache)
  const matches = new Map<number, number>()
  for (const [position, match] of columns.pairIndex(0).candidatePositions.entries())
    if (match >= 0) matches.set(match, position)
  const selected = await readSelection(connection, found, cache)
  const isPaired = ({ position }: { position: number }) =>
    matches.has(position) && (!selected || selected[position] === 1)
  const rows = await readSample(connection, found, cache, isPaired)
  if (rows.length === 0) throw invalidContent('', 'The evaluations have no common rows to compare.')
  if (rows.length > MAX_PAIRS)
    throw invalidContent(
      '/sample',
      `A review of a comparison has at most ${MAX_PAIRS} rows. Choose a sample.`,
    )
  const baseIds = new Map((await readIds(connection, base.key)).map(({ id, position }) => [position, id]))
  const candidateSides = chooseSides(
    rows.map(({ id }) => id),
    review.pairs ?? [],
  )
  return rows.map(({ id, position }) => ({
    scenario_id: id,
    base_scenario_id: baseIds.get(matches.get(position) as number) as string,
    candidate_side: candidateSides.get(id) as ReviewPair['candidate_side'],
  }))
}

/** Random sides, such that both occur equally often, or differ by one. */
function chooseSides(
  ids: readonly string[],
  existing: readonly ReviewPair[],
): Map<string, ReviewPair['candidate_side']> {
  const sides = new Map(existing.map(({ scenario_id, candidate_side }) => [scenario_id, candidate_side]))
  const added = ids.filter((id) => !sides.has(id))
  const left = ids.filter((id) => sides.get(id) === 'left').length
  const target = Math.floor((ids.length + randomInt(2)) / 2) - left
  const isLeft = added.map((_, index) => index < target)
  for (const index of added.keys()) {
    const other = randomInt(index, added.length)
    const moved = isLeft[index] as boolean
    isLeft[index] = isLeft[other] as boolean
    isLeft[other] = moved
  }
  for (const [index, id] of added.entries()) sides.set(id, isLeft[index] ? 'left' : 'right')
  return sides
}
