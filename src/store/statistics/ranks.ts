// Ranks of evaluations over the same rows. They are ranges, because only certain differences order two evaluations. Uses no
// database.
import { createPairTest, type RankedScores } from './pair-test.ts'

/** The confidence of each pair, with which all pairs together have at least 95 % (Bonferroni). */
export function pairConfidence(evaluations: number): number {
  const pairs = (evaluations * (evaluations - 1)) / 2
  return 1 - 0.05 / Math.max(1, pairs)
}

/** The best and the worst rank of each evaluation: one more than how many are certainly better, and how many are not certainly worse. */
export function findRanks(
  scores: readonly RankedScores[],
  areVerdicts: boolean,
  higherIsBetter: boolean,
): [best: number, worst: number][] {
  const rowCount = scores[0]?.means.length ?? 0
  const findDirection = createPairTest(rowCount, areVerdicts, pairConfidence(scores.length))
  const ranks = scores.map((): [number, number] => [1, scores.length])
  for (const [index, candidate] of scores.entries()) {
    for (let other = 0; other < index; other += 1) {
      const baseline = scores[other] as RankedScores
      const direction = findDirection(baseline, candidate)
      if (direction !== 'higher' && direction !== 'lower') continue
      const isBetter = (direction === 'higher') === higherIsBetter
      const [better, worse] = isBetter ? [index, other] : [other, index]
      ;(ranks[worse] as [number, number])[0] += 1
      ;(ranks[better] as [number, number])[1] -= 1
    }
  }
  return ranks
}

/** By evaluation: whether no other one has a score at least as good and a measure at least as low, and one of them better. */
export function findFrontier(
  scores: readonly number[],
  measures: readonly (number | null)[],
  higherIsBetter: boolean,
): (boolean | null)[] {
  const sign = higherIsBetter ? 1 : -1
  return measures.map((measure, index) => {
    if (measure === null) return null
    const score = sign * (scores[index] as number)
    return !measures.some((otherMeasure, other) => {
      if (otherMeasure === null || otherMeasure > measure) return false
      const otherScore = sign * (scores[other] as number)
      return otherScore >= score && (otherScore > score || otherMeasure < measure)
    })
  })
}
