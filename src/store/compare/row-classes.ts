// Score differences of joined rows, and the class of a row by its difference.
import type { RowClass } from '../../schema/comparisons.ts'
import { type JoinedColumns, NO_ROW } from './joined-columns.ts'
import { isHigherBetter, type Side } from './sides.ts'

/** Returns the score difference of a pair; NaN if the scores cannot be compared or a position is NO_ROW. */
export type DeltaLookup = (baselinePosition: number, candidatePosition: number) => number

/** Differences can overflow to infinity. */
export async function createDeltaLookup(
  columns: JoinedColumns,
  candidate: Side,
  evaluator: string | undefined,
): Promise<DeltaLookup> {
  const baselineScores =
    evaluator === undefined ? undefined : await columns.scores(columns.baseline, evaluator)
  const candidateScores = evaluator === undefined ? undefined : await columns.scores(candidate, evaluator)
  if (!baselineScores || !candidateScores) return () => Number.NaN
  return (baselinePosition, candidatePosition) =>
    candidatePosition !== NO_ROW &&
    baselineScores.verdicts[baselinePosition] === candidateScores.verdicts[candidatePosition]
      ? (candidateScores.numbers[candidatePosition] as number) -
        (baselineScores.numbers[baselinePosition] as number)
      : Number.NaN
}

/** Returns the class of a pair by its score difference. */
export type DeltaClassifier = (delta: number) => RowClass

export function createDeltaClassifier(
  baseline: Side,
  candidate: Side,
  evaluator: string | undefined,
): DeltaClassifier {
  const higherIsBetter = evaluator === undefined || isHigherBetter(baseline, candidate, evaluator)
  return (delta) => {
    if (Number.isNaN(delta)) return 'incomparable'
    if (delta === 0) return 'same'
    return delta > 0 === higherIsBetter ? 'improved' : 'regressed'
  }
}
