// The columns that an evaluation has.
import type { EvaluationSummary } from 'assay-client'
import { type ColumnChoice, type GridColumn, useColumnChoice } from '../grid/columns.ts'
import { useLast, useStable } from '../grid/stable.ts'
import type { Row } from './cells.ts'
import type { Shown } from './shown.ts'

/** The names of columns, each in the order in which they first appear. */
export type Names = EvaluationSummary['columns']

export interface Column extends GridColumn {
  kind: 'result' | 'input' | 'output' | 'expected' | 'latency' | 'cost'
  /** Whether the API can sort by it. */
  isSortable: boolean
}

/** Every column of an evaluation, evaluators first. One expected answer needs no name. */
export function allColumns({ evaluators, inputs, expected }: Names): Column[] {
  const answers =
    expected.length < 2
      ? [plain('expected')]
      : expected.map((name) => ({ ...plain('expected'), key: `expected.${name}`, name }))
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
    ...inputs.map((name): Column => ({ ...plain('input'), key: `input.${name}`, name })),
    plain('output'),
    ...answers,
    { ...plain('latency'), isSortable: true },
    { ...plain('cost'), isSortable: true },
  ]
}

function plain(kind: Column['kind']): Column {
  return { key: kind, kind, name: kind, isPinned: false, isSortable: false }
}

/** Those that some rows have: good enough until all names are known. */
export function namesIn(rows: Row[]): Names {
  const distinct = (names: string[]) => [...new Set(names)]
  return {
    evaluators: distinct(rows.flatMap(({ results }) => results.map((one) => one.evaluator_config))),
    inputs: distinct(rows.flatMap(({ inputs }) => inputs.map((one) => one.name))),
    expected: distinct(rows.flatMap((row) => (row.correct_answers ?? []).map((one) => one.key))),
  }
}

export function useColumns({ summary, view }: Shown, first?: Names): ColumnChoice<Column> {
  const names = useStable(useLast(summary)?.columns ?? first)
  return useColumnChoice(names ? allColumns(names) : [], names, view.columns)
}
