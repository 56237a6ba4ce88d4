// Columns of the joined rows: the change of each candidate, inputs, outputs of all evaluations, expected answer.
import { useMemo } from 'react'
import { type ColumnChoice, type TableColumn, useColumnChoice } from '../../../table/columns/column-choice.ts'
import { evaluationName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'

export interface Column extends TableColumn {
  kind: 'change' | 'input' | 'output' | 'expected'
  /** Index of the evaluation; 0 is the baseline. */
  side: number
}

export function allColumns(evaluations: readonly string[], inputs: readonly string[]): Column[] {
  const [, ...candidates] = evaluations
  return [
    ...candidates.map(
      (name, index): Column => ({
        key: `change.${index + 1}`,
        name,
        kind: 'change',
        side: index + 1,
        isPinned: true,
      }),
    ),
    ...inputs.map(
      (name): Column => ({ key: `input.${name}`, name, kind: 'input', side: 0, isPinned: false }),
    ),
    ...evaluations.map(
      (name, side): Column => ({ key: `output.${side}`, name, kind: 'output', side, isPinned: false }),
    ),
    { key: 'expected', name: 'expected', kind: 'expected', side: 0, isPinned: false },
  ]
}

/** The columns in the URL, or else those stored in this browser for the same inputs and number of evaluations. */
export function useColumns({ params, comparison, inputs }: ComparisonState): ColumnChoice<Column> {
  const all = useMemo(() => {
    const names = params.evaluations.map((id) => evaluationName(comparison, id))
    return allColumns(names, inputs)
  }, [params.evaluations, comparison, inputs])
  return useColumnChoice(
    all,
    all.map(({ key }) => key),
    params.columns,
  )
}
