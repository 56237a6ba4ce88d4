// The active filters, each with a button to remove it.

import type { Filter } from '../state/row-params.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import { filterLabel } from './filter-labels.ts'
import styles from './filters.module.css'

export function ActiveFilters({ filters }: { filters: readonly Filter[] }) {
  const changeParams = useChangeSearchParams()
  if (filters.length === 0) return null
  return (
    <ul aria-label="Filters" className={styles.filters}>
      {filters.map(([name, value]) => {
        const label = filterLabel([name, value])
        return (
          <li key={name}>
            <span
              title={[value]
                .flat()
                .map((text) => `${name}=${text}`)
                .join('&')}
            >
              {label}
            </span>
            <button
              type="button"
              className={`plain ${styles.remove}`}
              aria-label={`Remove filter: ${label}`}
              onClick={(event) => {
                moveFocusToNeighbor(event.currentTarget)
                changeParams({ [name]: undefined })
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

/** Moves the focus from a removed button to the next filter, or to the search. */
function moveFocusToNeighbor(button: HTMLElement): void {
  const item = button.closest('li')
  const adjacentItem = item?.nextElementSibling ?? item?.previousElementSibling
  const focusTarget =
    adjacentItem?.querySelector('button') ?? button.closest('search')?.querySelector('input')
  focusTarget?.focus()
}
