// The properties of the toolbar above a table of rows, which its sheet in narrow windows has too.
import type { ReactNode } from 'react'
import type { Filter } from '../state/row-params.ts'
import type { FilterableNames } from './filter-form.tsx'

export interface RowToolbarProps {
  /** Chips that select a state or class. */
  chips: ReactNode
  /** All filters of the view. */
  filters: readonly Filter[]
  /** The filters without a control of their own. */
  removableFilters: readonly Filter[]
  /** The label of a filter, if the page knows a better one. */
  labelOf?: (filter: Filter) => string | undefined
  filterNames: FilterableNames
  /** The number of rows without filters, once loaded. */
  totalRows: number | undefined
  /** Menu items for frequent filters. */
  frequentFilters?: ReactNode
  /** Sorts the rows. */
  sortMenu?: ReactNode
  /** The content of the display menu. */
  displaySettings: ReactNode
}
