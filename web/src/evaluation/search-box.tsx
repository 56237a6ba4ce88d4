// Searches in all rows of the evaluation.
import { useChangeSearch } from '../change-search.ts'
import { counted } from '../format/numbers.ts'
import { SearchField } from '../parts/search-field.tsx'
import styles from './filters.module.css'
import type { Shown } from './shown.ts'

export function SearchBox({ shown }: { shown: Shown }) {
  const change = useChangeSearch()
  const rows = shown.evaluation?.scenario_count
  return (
    <SearchField
      text={shown.view.filters.find(([name]) => name === 'q')?.[1] ?? ''}
      onText={(text) => change({ q: text === '' ? undefined : text }, { replace: true })}
      label="Search in rows"
      title="Inputs, outputs, expected answers and notes (/)"
      placeholder={!rows ? 'Search' : `Search in ${rows === 1 ? '' : 'all '}${counted(rows, 'row')}`}
      className={styles.search}
    />
  )
}
