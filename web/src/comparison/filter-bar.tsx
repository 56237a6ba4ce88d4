// Search, filters, order, and how rows are laid out.
import { useChangeSearch } from '../change-search.ts'
import { useChangePreference } from '../evaluation/view.ts'
import { ActiveFilters } from '../filters/active-filters.tsx'
import { FilterForm } from '../filters/filter-form.tsx'
import styles from '../filters/filters.module.css'
import { SearchBox } from '../filters/search-box.tsx'
import { ColumnsMenu } from '../grid/columns-menu.tsx'
import { Densities } from '../grid/densities.tsx'
import { Menu } from '../parts/menu.tsx'
import { pairOf, rowsIn } from './classes.ts'
import { useColumns } from './columns.ts'
import { orderChoices, orderOf, orderWord } from './ordering.ts'
import { directionOn, type Shown } from './shown.ts'

export function FilterBar({ shown }: { shown: Shown }) {
  const { view, question, comparison } = shown
  const prefer = useChangePreference()
  const columns = useColumns(shown)
  const [base] = pairOf(shown)
  const evaluators = comparison?.candidates[0]?.evaluators ?? []
  const names = { evaluators: evaluators.map(({ name }) => name), inputs: shown.inputs, base }
  return (
    <search className={styles.bar}>
      <SearchBox filters={view.filters} rows={evaluators[0] && rowsIn(evaluators[0].classes, 'all')} />
      <Menu label="+ Filter" className="plain">
        <FilterForm filters={question.filters} names={names} />
      </Menu>
      <ActiveFilters filters={question.filters.filter(([name]) => name !== 'q')} />
      <div className={styles.layout}>
        <OrderChoice shown={shown} />
        <Densities density={view.density} onChoose={(density) => prefer('density', density)} />
        <ColumnsMenu choice={columns} />
      </div>
    </search>
  )
}

function OrderChoice({ shown }: { shown: Shown }) {
  const { question, on } = shown
  const change = useChangeSearch()
  const ordered = { ...question, on, higherIsBetter: directionOn(shown, on) }
  return (
    <select
      aria-label="Order of rows"
      className={styles.order}
      value={orderOf(ordered)}
      onChange={(event) => change({ order: orderWord(ordered, event.target.value) })}
    >
      {orderChoices(ordered, pairOf(shown)).map(({ order, words }) => (
        <option key={order} value={order}>
          {words}
        </option>
      ))}
    </select>
  )
}
