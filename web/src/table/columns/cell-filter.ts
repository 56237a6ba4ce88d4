// A shortcut that filters the rows by the input in the focused cell.
import { compactText } from '../../format/value-text.ts'
import { inputValue, type ScenarioRow } from '../../results/cells.ts'
import type { FilterSearch } from '../../state/row-params.ts'
import { useChangeSearchParams } from '../../state/search-params.ts'
import { toast } from '../../ui/messages/toasts.tsx'
import type { RowShortcuts } from '../table-shortcuts.ts'
import type { Column } from './column-type.ts'

/** `columns` are the visible ones, and `scenarioOf` returns the scenario whose inputs they show. */
export function useCellFilter<Row>(
  columns: readonly Column[],
  scenarioOf: (row: Row) => ScenarioRow | null,
): RowShortcuts<Row> {
  const changeParams = useChangeSearchParams()
  function run(row: Row, _open: () => void, columnIndex: number): void {
    const column = columns[columnIndex]
    const scenario = scenarioOf(row)
    const input = column?.kind === 'input' && scenario ? inputValue(scenario, column.name) : undefined
    if (!column || !input) toast('Move to the cell of an input to filter by its value.')
    else if (input.isCut) toast('This value is too long to filter by it.')
    else changeParams({ [column.key]: `eq.${compactText(input.value)}` } as FilterSearch)
  }
  return { '=': { label: 'Filter by the value of the cell', run } }
}
