// The columns of the joined rows: of each candidate what changed, then what went in, what came out, and what should have.
import { useMemo } from 'react'
import { type ColumnChoice, type GridColumn, useColumnChoice } from '../grid/columns.ts'
import { nameOf } from './compared.ts'
import type { Shown } from './shown.ts'

export interface Column extends GridColumn {
  kind: 'change' | 'input' | 'output' | 'expected'
  /** Which of the evaluations it is about, the base being 0. */
  side: number
}

export function allColumns(evaluations: readonly string[], inputs: readonly string[]): Column[] {
  const [, ...candidates] = evaluations
  return [
    ...candidates.map(
      (name, at): Column => ({ key: `change.${at + 1}`, name, kind: 'change', side: at + 1, isPinned: true }),
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

/** What is chosen in the address, else in this browser for as many evaluations with the same inputs. */
export function useColumns({ view, comparison, inputs }: Shown): ColumnChoice<Column> {
  const all = useMemo(() => {
    const names = view.evaluations.map((id) => nameOf(comparison, id))
    return allColumns(names, inputs)
  }, [view.evaluations, comparison, inputs])
  return useColumnChoice(
    all,
    all.map(({ key }) => key),
    view.columns,
  )
}
