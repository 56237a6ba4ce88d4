// Search, filters, and how rows are laid out.
import { useChangeSearch } from '../change-search.ts'
import { ColumnsMenu } from '../grid/columns-menu.tsx'
import { Densities } from '../grid/densities.tsx'
import { Menu } from '../parts/menu.tsx'
import { setPreference, usePreference } from '../preferences.ts'
import { useColumns } from './columns.ts'
import { FilterForm } from './filter-form.tsx'
import { filterWords } from './filter-words.ts'
import styles from './filters.module.css'
import { SearchBox } from './search-box.tsx'
import type { Shown } from './shown.ts'
import { withoutState } from './states.ts'
import { type Filter, useChangePreference } from './view.ts'

export function FilterBar({ shown }: { shown: Shown }) {
  const prefer = useChangePreference()
  const columns = useColumns(shown)
  return (
    <search className={styles.bar}>
      <SearchBox shown={shown} />
      <Menu label="+ filter" className="plain">
        <FilterForm shown={shown} />
      </Menu>
      <ActiveFilters shown={shown} />
      <div className={styles.layout}>
        <Grouping shown={shown} />
        <Densities density={shown.view.density} onChoose={(density) => prefer('density', density)} />
        <ColumnsMenu choice={columns} />
        <FiguresSwitch />
      </div>
    </search>
  )
}

/** Those that nothing else on the page shows. */
function ActiveFilters({ shown: { question, on } }: { shown: Shown }) {
  const change = useChangeSearch()
  const filters = on === undefined ? question.filters : withoutState(question.filters, on)
  const listed = filters.filter((filter) => !isShownElsewhere(filter))
  if (listed.length === 0) return null
  return (
    <ul aria-label="Filters" className={styles.filters}>
      {listed.map(([name, value]) => {
        const words = filterWords([name, value])
        return (
          <li key={name}>
            <span title={`${name}=${value}`}>{words}</span>
            <button
              type="button"
              className={`plain ${styles.remove}`}
              aria-label={`Remove filter: ${words}`}
              onClick={(event) => {
                passFocusOn(event.currentTarget)
                change({ [name]: undefined })
              }}
            >
              ✕
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** From a button that goes away to that of another filter, or to the search. */
function passFocusOn(button: HTMLElement): void {
  const item = button.closest('li')
  const other = item?.nextElementSibling ?? item?.previousElementSibling
  const next = other?.querySelector('button') ?? button.closest('search')?.querySelector('input')
  next?.focus()
}

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
