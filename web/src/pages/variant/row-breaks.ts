// Since which evaluation of a variant rows fail.
import type { LeaderboardRows } from 'assay-client'

interface Break {
  /** The evaluation in which the rows failed first. */
  evaluation: string
  rows: number
  /** Whether there can be more of them among the rows that were not requested. */
  isPart: boolean
}

/**
 * The evaluation since which the most rows fail, among those that passed before. Such rows have different scores, so they are
 * among the first.
 */
export function largestBreak({ evaluations, rows, total }: LeaderboardRows): Break | undefined {
  const counts = new Map<string, number>()
  for (const { cells } of rows) {
    // The newest evaluation is the first.
    const firstPass = cells.findIndex(({ state }) => state !== 'fail')
    if (firstPass < 1 || cells[firstPass]?.state !== 'pass') continue
    const evaluation = evaluations[firstPass - 1] as string
    counts.set(evaluation, (counts.get(evaluation) ?? 0) + 1)
  }
  const largest = [...counts].reduce<[string, number] | undefined>(
    (best, entry) => (entry[1] > (best?.[1] ?? 0) ? entry : best),
    undefined,
  )
  const isPart = rows.length < total && (rows.at(-1)?.spread ?? 0) > 0
  return largest && { evaluation: largest[0], rows: largest[1], isPart }
}
