// Columns of the joined rows: the change of each candidate, inputs, outputs of all evaluations, and expected answers.
import { useMemo } from 'react'
import { type ColumnChoice, type TableColumn, useColumnChoice } from '../../../table/columns/column-choice.ts'
import { evaluationName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'

export interface Column extends TableColumn {
  kind: 'change' | 'input' | 'output' | 'expected'
  /** Index of the evaluation. 0 is the baseline, and also used for inputs and expected answers. */
  evaluationIndex: number
}

export function allColumns(evaluationNames: readonly string[], inputs: readonly string[]): Column[] {
  const [, ...candidates] = evaluationNames
  return [
    ...candidates.map(
      (name, index): Column => ({
        key: `change.${index + 1}`,
        name,
        kind: 'change',
        evaluationIndex: index + 1,
        isPinned: true,
      }),
    ),
    ...inputs.map(
      (name): Column => ({ key: `input.${name}`, name, kind: 'input', evaluationIndex: 0, isPinned: false }),
    ),
    ...evaluationNames.map(
      (name, evaluationIndex): Column => ({
        key: `output.${evaluationIndex}`,
        name,
        kind: 'output',
        evaluationIndex,
        isPinned: false,
      }),
    ),
    { key: 'expected', name: 'expected', kind: 'expected', evaluationIndex: 0, isPinned: false },
  ]
}

/** The columns in the URL, or else those stored in this browser for the same inputs and number of evaluations. */
export function useColumns({ params, comparison, inputs }: ComparisonState): ColumnChoice<Column> {
  const columns = useMemo(() => {
    const names = params.evaluations.map((id) => evaluationName(comparison, id))
    return allColumns(names, inputs)
  }, [params.evaluations, comparison, inputs])
  return useColumnChoice(
    columns,
    columns.map(({ key }) => key),
    params.columns,
  )
}
