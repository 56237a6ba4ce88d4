// Searches in all rows.
import { useChangeSearch } from '../change-search.ts'
import type { Filter } from '../evaluation/view.ts'
import { counted } from '../format/numbers.ts'
import { SearchField } from '../parts/search-field.tsx'
import styles from './filters.module.css'

interface SearchBoxProps {
  filters: readonly Filter[]
  /** How many there are without filters, once that is known. */
  rows: number | undefined
}

export function SearchBox({ filters, rows }: SearchBoxProps) {
  const change = useChangeSearch()
  return (
    <SearchField
      text={filters.find(([name]) => name === 'q')?.[1] ?? ''}
      onText={(text) => change({ q: text === '' ? undefined : text }, { replace: true })}
      label="Search in rows"
      title="Inputs, outputs, expected answers and notes (/)"
      placeholder={!rows ? '/ search' : `/ search in ${rows === 1 ? '' : 'all '}${counted(rows, 'row')}`}
      className={styles.search}
    />
  )
}
