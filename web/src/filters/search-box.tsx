// The search input for rows.
import { Search } from 'lucide'
import { pluralize } from '../format/numbers.ts'
import type { Filter } from '../state/row-params.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import { Icon } from '../ui/icon.tsx'
import { SearchField } from '../ui/search-field.tsx'
import styles from './row-toolbar.module.css'

interface SearchBoxProps {
  filters: readonly Filter[]
  /** The number of rows without filters, once loaded. */
  totalRows: number | undefined
}

export function SearchBox({ filters, totalRows }: SearchBoxProps) {
  const changeParams = useChangeSearchParams()
  return (
    <span className={styles.search} data-tooltip="Searches inputs, outputs, expected answers and notes">
      <Icon icon={Search} />
      <SearchField
        text={String(filters.find(([name]) => name === 'q')?.[1] ?? '')}
        onText={(text) => changeParams({ q: text === '' ? undefined : text }, { replace: true })}
        label="Search in rows"
        placeholder={totalRows ? `Search ${pluralize(totalRows, 'row')}` : 'Search'}
      />
      <span aria-hidden="true">
        <kbd>/</kbd>
      </span>
    </span>
  )
}
