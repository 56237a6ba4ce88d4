// Filters that leave no row, each to be taken away.
import { useQuery } from '@tanstack/react-query'
import { useChangeSearch } from '../change-search.ts'
import { type Filter, withoutFilters } from '../evaluation/view.ts'
import { counted } from '../format/numbers.ts'
import type { WindowQuestion } from '../grid/windows.ts'
import { filterWords } from './filter-words.ts'
import styles from './filters.module.css'

interface NoMatchProps {
  filters: readonly Filter[]
  /** Asks how many rows other filters leave. */
  ask: (filters: Filter[]) => WindowQuestion<{ total: number }>
}

export function NoMatch({ filters, ask }: NoMatchProps) {
  const change = useChangeSearch()
  return (
    <>
      <h2>No row matches</h2>
      <p>{filters.map(filterWords).join(' and ')}</p>
      <ul className={styles.without}>
        {filters.map((filter) => (
          <Without key={filter[0]} filter={filter} question={ask(filters.filter((one) => one !== filter))} />
        ))}
      </ul>
      {filters.length > 1 && (
        <p>
          <button type="button" onClick={removing(() => change(withoutFilters(filters)))}>
            Remove all filters
          </button>
        </p>
      )}
    </>
  )
}

function Without({ filter, question }: { filter: Filter; question: WindowQuestion<{ total: number }> }) {
  const change = useChangeSearch()
  const { data } = useQuery(question)
  return (
    <li>
      <button type="button" onClick={removing(() => change({ [filter[0]]: undefined }))}>
        Without {filterWords(filter)}
        {data && `: ${counted(data.total, 'row')}`}
      </button>
    </li>
  )
}

/** The button goes with the filter, so the search takes the focus. */
function removing(remove: () => void): () => void {
  return () => {
    document.querySelector<HTMLElement>('search input')?.focus()
    remove()
  }
}
