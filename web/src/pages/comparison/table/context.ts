// What cells and column headers show, apart from the row.
import type { EvaluatorDisplay } from '../../../results/evaluator-display.ts'
import type { JoinedRow } from '../queries.ts'

export interface ComparisonContext {
  /** The evaluator that row classes use. */
  evaluator: string | undefined
  displays: Record<string, EvaluatorDisplay>
  /** Names of the evaluations, the baseline first. */
  names: readonly string[]
  /** The number of the output, starting at 1. */
  output: number
}

export interface Names {
  /** The baseline first. */
  evaluations: readonly string[]
  inputs: readonly string[]
  /** The evaluator that row classes use, and others with scores. */
  evaluator: string | undefined
  otherEvaluators: readonly string[]
}

/**
 * The scenario of one evaluation. Without an index, that of the baseline, or of the first candidate if the baseline does not
 * have the row: inputs and expected answers are usually the same in all evaluations.
 */
export function scenarioAt({ base, candidates }: JoinedRow, index: number | undefined): JoinedRow['base'] {
  if (index === undefined) return base ?? candidates[0]?.row ?? null
  return index === 0 ? base : (candidates[index - 1]?.row ?? null)
}
