// The filters and settings of a narrow window, in one sheet.
import { ListFilter } from 'lucide'
import { Suspense, useState } from 'react'
import { lazyComponent } from '../api/lazy-modules.ts'
import { Button } from '../ui/button.tsx'
import { ActiveFilters } from './active-filters.tsx'
import styles from './row-toolbar.module.css'
import type { RowToolbarProps } from './row-toolbar-props.ts'

const Dialog = lazyComponent(async () => (await import('../ui/messages/dialog.tsx')).Dialog)
const FilterForm = lazyComponent(async () => (await import('./filter-form.tsx')).FilterForm)

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
        <Suspense>
          <Dialog title="Filter and display" isSheet onClose={() => setIsOpen(false)}>
            <div className={styles.sheet}>
              <ActiveFilters filters={removableFilters} labelOf={labelOf} />
              <Suspense>
                {frequentFilters}
                <FilterForm filters={filters} names={filterNames} />
              </Suspense>
              {sortMenu}
              <Suspense>{displaySettings}</Suspense>
            </div>
          </Dialog>
        </Suspense>
      )}
    </>
  )
}
