// Paired rows for tests of statistics.
import type { PairedNumbers } from '../../src/store/statistics/paired-differences.ts'

/** Rows of verdicts: some become higher, some lower, the others stay false. */
export function verdictPairs(higher: number, lower: number, same: number): PairedNumbers {
  const n = higher + lower + same
  const candidate = Float64Array.from({ length: n }, (_, row) => Number(row < higher))
  const baseline = candidate.map((_, row) => Number(row >= higher && row < higher + lower))
  return { baseline, candidate, verdicts: n, hasRepeats: false }
}

export function numberPairs(differences: number[]): PairedNumbers {
  return {
    baseline: new Float64Array(differences.length),
    candidate: Float64Array.from(differences),
    verdicts: 0,
    hasRepeats: false,
  }
}
