// The toolbar above a table of rows: chips that select a state or class, search, filters and display settings. In narrow
// windows, filters and settings are in one sheet.
import { ListFilter, SlidersHorizontal } from 'lucide'
import { Suspense } from 'react'
import { lazyComponent } from '../api/lazy-modules.ts'
import { useIsNarrow } from '../ui/media.ts'
import { Menu } from '../ui/menus/menu.tsx'
import styles from './row-toolbar.module.css'
import type { RowToolbarProps } from './row-toolbar-props.ts'
import { SearchBox } from './search-box.tsx'

const ActiveFilters = lazyComponent(async () => (await import('./active-filters.tsx')).ActiveFilters)
const FilterForm = lazyComponent(async () => (await import('./filter-form.tsx')).FilterForm)
const FilterSheet = lazyComponent(async () => (await import('./filter-sheet.tsx')).FilterSheet)

export function RowToolbar(props: RowToolbarProps) {
  const { chips, filters, removableFilters, labelOf, totalRows, sortMenu, displaySettings } = props
  const isNarrow = useIsNarrow()
  return (
    <div className={styles.toolbar}>
      {chips}
      <search className={styles.tools}>
        <SearchBox filters={filters} totalRows={totalRows} />
        {isNarrow ? (
          <Suspense>
            <FilterSheet {...props} />
          </Suspense>
        ) : (
          <>
            <Menu label="Filter" icon={ListFilter} variant="plain" size="small">
              <Suspense>
                {props.frequentFilters}
                <FilterForm filters={filters} names={props.filterNames} />
              </Suspense>
            </Menu>
            {removableFilters.length > 0 && (
              <Suspense>
                <ActiveFilters filters={removableFilters} labelOf={labelOf} />
              </Suspense>
            )}
            <span className={styles.display}>
              {sortMenu}
              <Menu
                label="Display"
                icon={SlidersHorizontal}
                isIconOnly
                variant="plain"
                size="small"
                align="end"
              >
                <Suspense>{displaySettings}</Suspense>
              </Menu>
            </span>
          </>
        )}
      </search>
    </div>
  )
}
