// Search, filters, and how rows are laid out.
import { useChangeSearch } from '../change-search.ts'
import { ActiveFilters } from '../filters/active-filters.tsx'
import { FilterForm } from '../filters/filter-form.tsx'
import styles from '../filters/filters.module.css'
import { SearchBox } from '../filters/search-box.tsx'
import { ColumnsMenu } from '../grid/columns-menu.tsx'
import { Densities } from '../grid/densities.tsx'
import { Menu } from '../parts/menu.tsx'
import { setPreference, usePreference } from '../preferences.ts'
import { useColumns } from './columns.ts'
import type { Shown } from './shown.ts'
import { withoutState } from './states.ts'
import { type Filter, useChangePreference } from './view.ts'

export function FilterBar({ shown }: { shown: Shown }) {
  const prefer = useChangePreference()
  const columns = useColumns(shown)
  const { question, summary, on } = shown
  const { inputs = [], evaluators = [] } = summary?.columns ?? {}
  const base = shown.base === undefined ? undefined : 'the baseline'
  const stateless = on === undefined ? question.filters : withoutState(question.filters, on)
  return (
    <search className={styles.bar}>
      <SearchBox filters={shown.view.filters} rows={shown.evaluation?.scenario_count} />
      <Menu label="+ Filter" className="plain">
        <FilterForm filters={question.filters} names={{ evaluators, inputs, base }} />
      </Menu>
      <ActiveFilters filters={stateless.filter((filter) => !isShownElsewhere(filter))} />
      <div className={styles.layout}>
        <Grouping shown={shown} />
        <Densities density={shown.view.density} onChoose={(density) => prefer('density', density)} />
        <ColumnsMenu choice={columns} />
        <FiguresSwitch />
      </div>
    </search>
  )
}

/** By a chip, or in the box of the search. */
function isShownElsewhere([name, value]: Filter): boolean {
  return (
    name === 'q' ||
    (name === 'is_pinned' && value === 'is.true') ||
    (name === 'note' && value === 'is.present')
  )
}

function Grouping({ shown: { view } }: { shown: Shown }) {
  const change = useChangeSearch()
  return (
    <select
      aria-label="Group rows"
      value={view.group ?? ''}
      onChange={(event) => change({ group: event.target.value === '' ? undefined : event.target.value })}
    >
      <option value="">No groups</option>
      <option value="error">By error</option>
    </select>
  )
}

/** Whether the strip of figures stands above the table, in this browser. */
export function useIsStripShown(): boolean {
  return usePreference('figures') !== 'off'
}

function FiguresSwitch() {
  const isShown = useIsStripShown()
  return (
    <button
      type="button"
      aria-pressed={isShown}
      title="Figures above the table"
      onClick={() => setPreference('figures', isShown ? 'off' : undefined)}
    >
      Figures
    </button>
  )
}
