// The active filters, each with a button to remove it.

import type { Filter } from '../state/row-params.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import { FilterChip } from '../ui/chip.tsx'
import { filterLabel } from './filter-labels.ts'
import styles from './row-toolbar.module.css'

export function ActiveFilters({ filters }: { filters: readonly Filter[] }) {
  const changeParams = useChangeSearchParams()
  if (filters.length === 0) return null
  return (
    <ul aria-label="Filters" className={styles.filters}>
      {filters.map(([name, value]) => {
        const label = filterLabel([name, value])
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
  const target = neighbor?.querySelector('button') ?? item?.closest('search')?.querySelector('input')
  target?.focus()
}
