// The table of joined rows with its loading, error and empty states.

import { ErrorNotice } from '../../../errors/error-notice.tsx'
import { pluralize } from '../../../format/numbers.ts'
import { useDisplayedQuery } from '../../../table/displayed-query.ts'
import styles from '../../../table/table.module.css'
import { Loading } from '../../../ui/loading.tsx'
import { type ComparisonState, isHigherBetter } from '../page-state.ts'
import { windowQuery } from '../queries.ts'
import { NoRows } from './no-rows.tsx'
import { RowsTable } from './rows-table.tsx'
import { orderLabel } from './sort-order.ts'

export function TableSection({ state }: { state: ComparisonState }) {
  const { query, comparison } = state
  // Unknown names are removed once the comparison is loaded. A query without names does not have to wait for it.
  const hasNoNames = query.filters.length === 0 && query.order === undefined && query.on === undefined
  const { displayed, isPending, error, cancel } = useDisplayedQuery({
    query,
    windowQuery,
    isReady: hasNoNames || comparison !== undefined,
  })
  const scenarios = comparison?.evaluations[0]?.scenario_count
  return (
    <div className={styles.grid}>
      <div className={styles.loading}>
        {isPending && (
          <Loading
            description={scenarios === undefined ? undefined : pluralize(scenarios, 'row')}
            onCancel={cancel}
          />
        )}
      </div>
      <ErrorNotice error={error} />
      <p role="status" className="sr-only">
        {displayed && !isPending && statusText(state, displayed.first)}
      </p>
      {displayed &&
        (displayed.first.total > 0 ? (
          <RowsTable state={state} displayed={displayed} isBusy={isPending} />
        ) : (
          <NoRows state={state} query={displayed.query} response={displayed.first} />
        ))}
    </div>
  )
}

/** "2,310 rows, sorted by change, largest first". */
function statusText(state: ComparisonState, { total, on }: { total: number; on: string | null }): string {
  const evaluator = on ?? undefined
  const sortState = { ...state.query, evaluator, higherIsBetter: isHigherBetter(state, evaluator) }
  return [pluralize(total, 'row'), orderLabel(sortState)].filter(Boolean).join(', ')
}
