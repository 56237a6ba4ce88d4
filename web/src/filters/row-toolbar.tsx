// The toolbar above a table of rows: chips that select a state or class, search, filters and display settings. In narrow
// windows, filters and settings are in one sheet.
import { ListFilter, SlidersHorizontal } from 'lucide'
import { useIsNarrow } from '../ui/media.ts'
import { Menu } from '../ui/menus/menu.tsx'
import { ActiveFilters } from './active-filters.tsx'
import { FilterForm } from './filter-form.tsx'
import { FilterSheet } from './filter-sheet.tsx'
import styles from './row-toolbar.module.css'
import type { RowToolbarProps } from './row-toolbar-props.ts'
import { SearchBox } from './search-box.tsx'

export function RowToolbar(props: RowToolbarProps) {
  const { chips, filters, removableFilters, labelOf, totalRows, sortMenu, displaySettings } = props
  const isNarrow = useIsNarrow()
  return (
    <div className={styles.toolbar}>
      {chips}
      <search className={styles.tools}>
        <SearchBox filters={filters} totalRows={totalRows} />
        {isNarrow ? (
          <FilterSheet {...props} />
        ) : (
          <>
            <Menu label="Filter" icon={ListFilter} variant="plain" size="small">
              {props.frequentFilters}
              <FilterForm filters={filters} names={props.filterNames} />
            </Menu>
            {removableFilters.length > 0 && <ActiveFilters filters={removableFilters} labelOf={labelOf} />}
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
                {displaySettings}
              </Menu>
            </span>
          </>
        )}
      </search>
    </div>
  )
}
