// What cells and column headers show, apart from the row.
import type { EvaluationSummary } from 'assay-client'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import type { Row } from '../../../results/cells.ts'
import type { EvaluatorDisplay } from '../../../results/evaluator-display.ts'

export interface EvaluationContext
  extends Pick<
    EvaluationState,
    'id' | 'evaluation' | 'query' | 'baselineId' | 'activeEvaluator' | 'isGrouped'
  > {
  /** Undefined while it is loading. */
  summary: EvaluationSummary | undefined
  displays: Record<string, EvaluatorDisplay>
  /** The number of the selected output, starting at 1. */
  output: number
  /** Whether the window is narrow. */
  isNarrow: boolean
}

/** Column names by kind, in order of first appearance. */
export type Names = EvaluationSummary['columns']

/** The columns of the given rows, used until the summary lists all columns. */
export function namesIn(rows: Row[]): Names {
  const distinct = (names: string[]) => [...new Set(names)]
  return {
    evaluators: distinct(rows.flatMap(({ results }) => results.map((result) => result.evaluator_config))),
    inputs: distinct(rows.flatMap(({ inputs }) => inputs.map((input) => input.name))),
    expected: distinct(rows.flatMap((row) => (row.correct_answers ?? []).map((answer) => answer.key))),
  }
}
