// The toolbar above a table of rows: chips that select a state or class, search, filters and display settings. In narrow
// windows, filters and settings are in one sheet.
import { ListFilter, Search, SlidersHorizontal } from 'lucide'
import { type ReactNode, Suspense, useState } from 'react'
import { pluralize } from '../format/numbers.ts'
import type { Filter } from '../state/row-params.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import { Button } from '../ui/button.tsx'
import { FilterChip } from '../ui/chip.tsx'
import { Icon } from '../ui/icon.tsx'
import { useIsNarrow } from '../ui/media.ts'
import { Menu } from '../ui/menus/menu.tsx'
import { Dialog } from '../ui/messages/dialog.tsx'
import { lazyComponent } from '../ui/messages/lazy-component.tsx'
import { Loading } from '../ui/messages/loading.tsx'
import { SearchField } from '../ui/search-field.tsx'
import type { FilterableNames } from './filter-form.tsx'
import { filterLabel } from './filter-labels.ts'
import styles from './row-toolbar.module.css'

const FilterForm = lazyComponent(async () => (await import('./filter-form.tsx')).FilterForm)

export function RowToolbar(props: RowToolbarProps) {
  const { chips, filters, removableFilters, labelOf, totalRows, actions, displaySettings } = props
  const isNarrow = useIsNarrow()
  return (
    <div className={styles.toolbar}>
      {!isNarrow && <ActiveFilters filters={removableFilters} labelOf={labelOf} />}
      {chips}
      <search className={styles.tools}>
        <SearchBox filters={filters} totalRows={totalRows} />
        {isNarrow ? (
          <FilterSheet {...props} />
        ) : (
          <>
            <Menu label="Filter" icon={ListFilter} variant="plain" size="small">
              {props.frequentFilters}
              <Suspense fallback={<Loading />}>
                <FilterForm filters={filters} names={props.filterNames} />
              </Suspense>
            </Menu>
            <span className={styles.display}>
              {actions}
              <Menu
                label="Display"
                icon={SlidersHorizontal}
                isIconOnly
                variant="plain"
                size="small"
                align="end"
              >
                <Suspense fallback={<Loading />}>{displaySettings}</Suspense>
              </Menu>
            </span>
          </>
        )}
      </search>
    </div>
  )
}

/** The filters and settings of a narrow window, in one sheet. */
function FilterSheet(props: RowToolbarProps) {
  const { removableFilters, labelOf, frequentFilters, filters, filterNames, actions, displaySettings } = props
  const [isOpen, setIsOpen] = useState(false)
  const count = removableFilters.length
  return (
    <>
      <Button size="small" icon={ListFilter} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Filter{count > 0 && <span className={styles.count}>{count}</span>}
      </Button>
      {isOpen && (
        <Dialog title="Filter and display" isSheet onClose={() => setIsOpen(false)}>
          <div className={styles.sheet}>
            <ActiveFilters filters={removableFilters} labelOf={labelOf} />
            {frequentFilters}
            <Suspense fallback={<Loading />}>
              <FilterForm filters={filters} names={filterNames} />
              {actions}
              {displaySettings}
            </Suspense>
          </div>
        </Dialog>
      )}
    </>
  )
}

interface SearchBoxProps {
  filters: readonly Filter[]
  /** The number of rows without filters, once loaded. */
  totalRows: number | undefined
}

/** The search input for rows. */
function SearchBox({ filters, totalRows }: SearchBoxProps) {
  const changeParams = useChangeSearchParams()
  return (
    <span className={styles.search} data-tooltip="Searches inputs, outputs, expected answers and notes">
      <Icon icon={Search} />
      <SearchField
        text={String(filters.find(([name]) => name === 'q')?.[1] ?? '')}
        onText={(text) => changeParams({ q: text === '' ? undefined : text }, { replace: true })}
        label="Search in rows"
        placeholder={totalRows ? `Search ${pluralize(totalRows, 'row')}` : 'Search'}
      />
      <span aria-hidden="true">
        <kbd>/</kbd>
      </span>
    </span>
  )
}

interface RowToolbarProps {
  /** Chips that select a state or class. */
  chips: ReactNode
  /** All filters of the view. */
  filters: readonly Filter[]
  /** The filters without a control of their own. */
  removableFilters: readonly Filter[]
  /** The label of a filter, if the page knows a better one. */
  labelOf?: (filter: Filter) => string | undefined
  filterNames: FilterableNames
  /** The number of rows without filters, once loaded. */
  totalRows: number | undefined
  /** Menu items for frequent filters. */
  frequentFilters?: ReactNode
  /** Controls before the display menu. */
  actions?: ReactNode
  /** The content of the display menu. */
  displaySettings: ReactNode
}

interface ActiveFiltersProps {
  filters: readonly Filter[]
  /** The label of a filter, if the page knows a better one. */
  labelOf?: ((filter: Filter) => string | undefined) | undefined
}

/** The active filters, each with a button to remove it. */
function ActiveFilters({ filters, labelOf }: ActiveFiltersProps) {
  const changeParams = useChangeSearchParams()
  if (filters.length === 0) return null
  return (
    <ul aria-label="Filters" className={styles.filters}>
      {filters.map(([name, value]) => {
        const label = labelOf?.([name, value]) ?? filterLabel([name, value])
        return (
          <li key={name}>
            <FilterChip
              title={[value]
                .flat()
                .map((text) => `${name}=${text}`)
                .join('&')}
              removeLabel={`Remove filter: ${label}`}
              onRemove={() => {
                moveFocusToNeighbor()
                changeParams({ [name]: undefined })
              }}
            >
              {label}
            </FilterChip>
          </li>
        )
      })}
    </ul>
  )
}

/** Moves the focus from the removed button to the next filter, or to the search. */
function moveFocusToNeighbor(): void {
  const item = document.activeElement?.closest('li')
  const neighbor = item?.nextElementSibling ?? item?.previousElementSibling
  const target = neighbor?.querySelector('button') ?? document.querySelector<HTMLInputElement>('search input')
  target?.focus()
}
