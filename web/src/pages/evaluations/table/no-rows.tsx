// Empty state of the table: the active filters, and a button to remove each.

import type { SearchParams } from '../../../state/search-params.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import type { ListParams } from '../search-params.ts'
import styles from './table.module.css'

export function NoMatchingEvaluations({ params }: { params: ListParams }) {
  const changeParams = useChangeSearchParams()
  const filters = describeFilters(params)
  return (
    <div className={styles.empty}>
      <p>No evaluation matches {filters.map(([label]) => label).join(' and ')}.</p>
      {filters.map(([label, removal]) => (
        <button key={label} type="button" onClick={() => changeParams(removal)}>
          Remove filter: {label}
        </button>
      ))}
    </div>
  )
}

/** The label of each active filter, and the change of the search params that removes it. */
function describeFilters({
  name,
  variant,
  revision,
  evaluator,
}: ListParams): [label: string, removal: SearchParams][] {
  const filters: [string | undefined, string, SearchParams][] = [
    [name, `name “${name}”`, { name: undefined }],
    [variant, `variant ${variant}`, { variant_id: undefined }],
    [revision, `revision r${revision}`, { revision: undefined }],
    [evaluator, `evaluator ${evaluator}`, { evaluator: undefined }],
  ]
  return filters.flatMap(([value, label, removal]) => (value === undefined ? [] : [[label, removal]]))
}
