// The search input for rows.

import { pluralize } from '../format/numbers.ts'
import type { Filter } from '../state/row-params.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import { SearchField } from '../ui/search-field.tsx'
import styles from './filters.module.css'

interface SearchBoxProps {
  filters: readonly Filter[]
  /** The number of rows without filters, once loaded. */
  totalRows: number | undefined
}

export function SearchBox({ filters, totalRows }: SearchBoxProps) {
  const changeParams = useChangeSearchParams()
  return (
    <SearchField
      text={String(filters.find(([name]) => name === 'q')?.[1] ?? '')}
      onText={(text) => changeParams({ q: text === '' ? undefined : text }, { replace: true })}
      label="Search in rows"
      title="Searches inputs, outputs, expected answers and notes (/)"
      placeholder={
        !totalRows ? '/ search' : `/ search ${totalRows === 1 ? '' : 'all '}${pluralize(totalRows, 'row')}`
      }
      className={styles.search}
    />
  )
}
