// The active filters, each with a button to remove it.

import type { Filter } from '../state/row-params.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import { FilterChip } from '../ui/filter-chip.tsx'
import { filterLabel } from './filter-labels.ts'
import styles from './row-toolbar.module.css'

interface ActiveFiltersProps {
  filters: readonly Filter[]
  /** The label of a filter, if the page knows a better one. */
  labelOf?: ((filter: Filter) => string | undefined) | undefined
}

export function ActiveFilters({ filters, labelOf }: ActiveFiltersProps) {
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
  const target = neighbor?.querySelector('button') ?? item?.closest('search')?.querySelector('input')
  target?.focus()
}
