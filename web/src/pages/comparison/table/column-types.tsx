// The columns of joined rows: the change of each candidate, inputs, outputs of all evaluations, and expected answers.
import { useMemo } from 'react'
import { type ColumnChoice, useColumnChoice } from '../../../table/columns/column-choice.ts'
import { type Cell, type Column, type ColumnTypes, columnsOf } from '../../../table/columns/column-type.ts'
import { scenarioColumns } from '../../../table/columns/text-columns.tsx'
import { shortName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import type { JoinedRow } from '../queries.ts'
import { changeColumn, resultColumn } from './change-column.tsx'
import { type ComparisonContext, type Names, scenarioAt } from './context.ts'

export type Kind = 'change' | 'result' | 'input' | 'output' | 'expected'

const SCENARIO_TYPES = scenarioColumns<JoinedRow, ComparisonContext>((row, { evaluationIndex }) =>
  scenarioAt(row, evaluationIndex),
)

/**
 * To add a kind, add its name to `Kind` and its column type here; the compiler reports what is missing. The order of the
 * types is the default order of the columns.
 */
export const COLUMN_TYPES: ColumnTypes<Kind, JoinedRow, Names, ComparisonContext> = {
  change: changeColumn,
  result: resultColumn,
  input: { ...SCENARIO_TYPES.input, header: () => null },
  output: {
    ...SCENARIO_TYPES.output,
    columns: ({ evaluations }) =>
      evaluations.map((name, index) => ({
        key: `output.${index}`,
        name: `${name} output`,
        evaluationIndex: index,
      })),
    cell: outputCell,
    header: () => null,
  },
  expected: SCENARIO_TYPES.expected,
}

/** Marks outputs that are the same as in the baseline. */
function outputCell(row: JoinedRow, column: Column, context: ComparisonContext): Cell {
  const { evaluationIndex = 0 } = column
  if (!scenarioAt(row, evaluationIndex)) {
    return { className: 'quiet', content: `not in ${context.names[evaluationIndex]}` }
  }
  const cell = SCENARIO_TYPES.output.cell(row, column, context)
  if (cell.className !== undefined || row.candidates[evaluationIndex - 1]?.output_changed !== false)
    return cell
  const content = (
    <>
      <span className="quiet">same: </span>
      {cell.content}
    </>
  )
  return { className: 'muted', content, title: `Same output as ${context.names[0]}` }
}

/** The columns in the URL, or else those stored in this browser for the same inputs and number of evaluations. */
export function useColumns(state: ComparisonState): ColumnChoice<Kind> {
  const { params, comparison, inputs, evaluator, hasRepeats } = state
  const columns = useMemo(() => {
    const evaluations = params.evaluations.map((id) => shortName(comparison, id))
    const evaluators = comparison?.candidates[0]?.evaluators ?? []
    // Joined rows have the scores of all repeats for the selected evaluator only.
    const otherEvaluators = evaluators
      .filter(({ name, n }) => !hasRepeats && name !== evaluator && n > 0)
      .map(({ name }) => name)
    return columnsOf(COLUMN_TYPES, { evaluations, inputs, evaluator, otherEvaluators })
  }, [params.evaluations, comparison, inputs, evaluator, hasRepeats])
  // Without the other evaluators, which depend on the selected one and load later than the rows.
  const names = columns.filter(({ kind }) => kind !== 'result').map(({ key }) => key)
  return useColumnChoice(columns, names, params.columns)
}
