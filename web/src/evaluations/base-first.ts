// Which of several evaluations the others are held against.
import type { Evaluation } from 'assay-client'

/** Ids, the base first: the one that is the baseline of another, else the oldest. Then the older before the newer. */
export function baseFirst(evaluations: readonly Evaluation[]): string[] {
  const isBaseline = ({ id }: Evaluation) =>
    evaluations.some((other) => other.baseline_id === id && other.id !== id)
  return evaluations
    .toSorted(
      (one, other) =>
        Number(isBaseline(other)) - Number(isBaseline(one)) ||
        Date.parse(one.created_at) - Date.parse(other.created_at),
    )
    .map(({ id }) => id)
}
