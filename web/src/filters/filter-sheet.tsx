// The filters and settings of a narrow window, in one sheet.
import { ListFilter } from 'lucide'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/messages/dialog.tsx'
import { ActiveFilters } from './active-filters.tsx'
import { FilterForm } from './filter-form.tsx'
import styles from './row-toolbar.module.css'
import type { RowToolbarProps } from './row-toolbar-props.ts'

export function FilterSheet(props: RowToolbarProps) {
  const { removableFilters, labelOf, frequentFilters, filters, filterNames, sortMenu, displaySettings } =
    props
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
            <FilterForm filters={filters} names={filterNames} />
            {sortMenu}
            {displaySettings}
          </div>
        </Dialog>
      )}
    </>
  )
}
