// Bar above the table: search, filters, sort order, density and columns.

import { ActiveFilters } from '../../../filters/active-filters.tsx'
import { FilterForm } from '../../../filters/filter-form.tsx'
import styles from '../../../filters/filters.module.css'
import { SearchBox } from '../../../filters/search-box.tsx'
import { useChangePreference } from '../../../state/row-params.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { ColumnsMenu } from '../../../table/columns/columns-menu.tsx'
import { currentOrder } from '../../../table/columns/sort-order.ts'
import { DensityPicker } from '../../../table/density-picker.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { type ComparisonState, isHigherBetter } from '../page-state.ts'
import { pairNames, rowsInClass } from '../row-classes.ts'
import { COLUMN_TYPES, useColumns } from './column-types.tsx'
import { defaultOrder, orderChoices } from './sort-order.ts'

export function FilterBar({ state }: { state: ComparisonState }) {
  const { params, query, comparison } = state
  const prefer = useChangePreference()
  const columns = useColumns(state)
  const [baselineName] = pairNames(state)
  const evaluators = comparison?.candidates[0]?.evaluators ?? []
  const names = { evaluators: evaluators.map(({ name }) => name), inputs: state.inputs, baselineName }
  return (
    <search className={styles.bar}>
      <SearchBox
        filters={params.filters}
        totalRows={evaluators[0] && rowsInClass(evaluators[0].classes, 'all')}
      />
      <Menu label="+ Filter" className="plain">
        <FilterForm filters={query.filters} names={names} />
      </Menu>
      <ActiveFilters filters={query.filters.filter(([name]) => name !== 'q')} />
      <div className={styles.layout}>
        <OrderSelect state={state} />
        <DensityPicker density={params.density} onChoose={(density) => prefer('density', density)} />
        <ColumnsMenu choice={columns} types={COLUMN_TYPES} />
      </div>
    </search>
  )
}

function OrderSelect({ state }: { state: ComparisonState }) {
  const { query, evaluator } = state
  const changeParams = useChangeSearchParams()
  const sortState = { ...query, evaluator, higherIsBetter: isHigherBetter(state, evaluator) }
  const usualOrder = defaultOrder(sortState)
  return (
    <select
      aria-label="Sort rows"
      className={styles.order}
      value={currentOrder(query.order, usualOrder)}
      onChange={({ target: { value } }) => changeParams({ order: value === usualOrder ? undefined : value })}
    >
      {orderChoices(sortState, pairNames(state)).map(({ order, label }) => (
        <option key={order} value={order}>
          {label}
        </option>
      ))}
    </select>
  )
}
