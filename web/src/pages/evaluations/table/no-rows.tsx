// Empty state of the table: the active filters, and a button to remove each.
import { type PageSearch, useChangeSearchParams } from '../../../state/search-params.ts'
import type { ListParams } from '../search-params.ts'
import styles from './table.module.css'

export function NoMatchingEvaluations({ params: { filters, evaluator } }: { params: ListParams }) {
  const changeParams = useChangeSearchParams<'/'>()
  const removals: [label: string, removal: PageSearch<'/'>][] = filters.map(
    ({ param, noun, value, format = String }) => [`${noun} ${format(value)}`, { [param]: undefined }],
  )
  if (evaluator !== undefined) removals.push([`evaluator ${evaluator}`, { evaluator: undefined }])
  return (
    <div className={styles.empty}>
      <p>No evaluation matches {removals.map(([label]) => label).join(' and ')}.</p>
      {removals.map(([label, removal]) => (
        <button key={label} type="button" onClick={() => changeParams(removal)}>
          Remove filter: {label}
        </button>
      ))}
    </div>
  )
}
