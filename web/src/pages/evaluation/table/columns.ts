// The columns of the rows of an evaluation.
import type { EvaluationSummary } from 'assay-client'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import type { Row } from '../../../results/cells.ts'
import { useLastDefined, useStable } from '../../../state/stable-values.ts'
import { type ColumnChoice, type TableColumn, useColumnChoice } from '../../../table/columns/column-choice.ts'

/** Column names by kind, in order of first appearance. */
export type Names = EvaluationSummary['columns']

export interface Column extends TableColumn {
  kind: 'result' | 'input' | 'output' | 'expected' | 'latency' | 'cost'
  /** Whether the API can sort by it. */
  isSortable: boolean
}

/** All columns, evaluators first. A single expected answer needs no name. */
export function allColumns({ evaluators, inputs, expected }: Names): Column[] {
  const answers =
    expected.length < 2
      ? [unnamedColumn('expected')]
      : expected.map((name) => ({ ...unnamedColumn('expected'), key: `expected.${name}`, name }))
  return [
    ...evaluators.map(
      (name): Column => ({
        key: `result.${name}`,
        kind: 'result',
        name,
        isPinned: true,
        isSortable: true,
      }),
    ),
    ...inputs.map((name): Column => ({ ...unnamedColumn('input'), key: `input.${name}`, name })),
    unnamedColumn('output'),
    ...answers,
    { ...unnamedColumn('latency'), isSortable: true },
    { ...unnamedColumn('cost'), isSortable: true },
  ]
}

function unnamedColumn(kind: Column['kind']): Column {
  return { key: kind, kind, name: kind, isPinned: false, isSortable: false }
}

/** The columns of the given rows, used until the summary lists all columns. */
export function namesIn(rows: Row[]): Names {
  const distinct = (names: string[]) => [...new Set(names)]
  return {
    evaluators: distinct(rows.flatMap(({ results }) => results.map((result) => result.evaluator_config))),
    inputs: distinct(rows.flatMap(({ inputs }) => inputs.map((input) => input.name))),
    expected: distinct(rows.flatMap((row) => (row.correct_answers ?? []).map((answer) => answer.key))),
  }
}

export function useColumns({ summary, params }: EvaluationState, firstNames?: Names): ColumnChoice<Column> {
  const names = useStable(useLastDefined(summary)?.columns ?? firstNames)
  return useColumnChoice(names ? allColumns(names) : [], names, params.columns)
}
