// The title of the list, its count and its filters.
import { formatCount } from '../../../format/numbers.ts'
import type { EvaluationList, Overview } from '../page-state.ts'
import type { ListParams } from '../search-params.ts'
import { ActiveFilters, Filters } from './filters.tsx'
import styles from './toolbar.module.css'

interface ToolbarProps {
  list: EvaluationList
  params: ListParams
  overview: Overview
  /** Whether the evaluations are loaded. */
  isLoaded: boolean
}

export function Toolbar({ list, params, overview, isLoaded }: ToolbarProps) {
  return (
    <>
      <div className={styles.toolbar}>
        <h2>All evaluations</h2>
        <span role="status" className="quiet">
          {isLoaded && countText(list, params)}
        </span>
        <Filters list={list} params={params} overview={overview} />
      </div>
      <ActiveFilters params={params} />
    </>
  )
}

/** The total is unknown until the last page is loaded. */
function countText({ rows, hasMore }: EvaluationList, { order, filters, evaluator }: ListParams): string {
  const isFiltered = filters.length > 0 || evaluator !== undefined
  const count = `${hasMore ? 'more than ' : ''}${formatCount(rows.length)}`
  const matching = isFiltered ? `${count} match` : count
  return order
    ? `${matching}, ${hasMore ? 'loaded rows ' : ''}sorted by ${order.column.replace(/^result\./, '')}`
    : matching
}
