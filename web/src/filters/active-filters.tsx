// The filters that are set, each to be removed.
import { useChangeSearch } from '../change-search.ts'
import type { Filter } from '../evaluation/view.ts'
import { filterWords } from './filter-words.ts'
import styles from './filters.module.css'

export function ActiveFilters({ filters }: { filters: readonly Filter[] }) {
  const change = useChangeSearch()
  if (filters.length === 0) return null
  return (
    <ul aria-label="Filters" className={styles.filters}>
      {filters.map(([name, value]) => {
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
