// The toolbar above the joined rows: classes, search, filters, sort order and display settings.
import { ArrowDownUp } from 'lucide'
import { RowToolbar } from '../../../filters/row-toolbar.tsx'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { currentOrder } from '../../../table/columns/sort-order.ts'
import { DisplaySettings } from '../../../table/display-settings.tsx'
import { ChoiceMenu } from '../../../ui/menus/choice-menu.tsx'
import { type ComparisonState, isHigherBetter } from '../page-state.ts'
import { flakyFilter, pairNames, rowsInClass } from '../row-classes.ts'
import { ClassChips } from './class-chips.tsx'
import { COLUMN_TYPES, useColumns } from './column-types.tsx'
import { defaultOrder, orderChoices } from './sort-order.ts'

export function FilterBar({ state }: { state: ComparisonState }) {
  const { params, query, comparison } = state
  const columns = useColumns(state)
  const [baselineName] = pairNames(state)
  const evaluators = comparison?.candidates[0]?.evaluators ?? []
  return (
    <RowToolbar
      chips={<ClassChips state={state} />}
      filters={params.filters}
      removableFilters={query.filters.filter(
        ([name]) => name !== 'q' && name !== flakyFilter(state.evaluator ?? '')[0],
      )}
      filterNames={{ evaluators: evaluators.map(({ name }) => name), inputs: state.inputs, baselineName }}
      totalRows={evaluators[0] && rowsInClass(evaluators[0].classes, 'all')}
      sortMenu={<OrderMenu state={state} />}
      displaySettings={<DisplaySettings density={params.density} choice={columns} types={COLUMN_TYPES} />}
    />
  )
}

function OrderMenu({ state }: { state: ComparisonState }) {
  const { query, evaluator } = state
  const changeParams = useChangeSearchParams()
  const sortState = { ...query, evaluator, higherIsBetter: isHigherBetter(state, evaluator) }
  const usualOrder = defaultOrder(sortState)
  return (
    <ChoiceMenu
      title="Sort rows"
      icon={ArrowDownUp}
      variant="plain"
      value={currentOrder(query.order, usualOrder)}
      options={orderChoices(sortState, pairNames(state)).map(({ order, label }) => ({
        value: order,
        name: label,
      }))}
      onSelect={(order) => changeParams({ order: order === usualOrder ? undefined : order })}
    />
  )
}
