// Loads the filtered rows and shows them as a table. Shows the previous rows while loading, or why there are none.
import { useQueryClient } from '@tanstack/react-query'
import { AssayError } from 'assay-client'
import { useEffect, useMemo } from 'react'
import { ErrorNotice } from '../../../errors/error-notice.tsx'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { NoMatch } from '../../../filters/no-match.tsx'
import { pluralize } from '../../../format/numbers.ts'
import { totalQuery, windowQuery } from '../../../queries/evaluations.ts'
import { useLastDefined } from '../../../state/stable-values.ts'
import { orderLabel } from '../../../table/columns/sort-order.ts'
import { useDisplayedQuery } from '../../../table/displayed-query.ts'
import styles from '../../../table/table.module.css'
import { Loading } from '../../../ui/loading.tsx'
import { namesIn, useColumns } from './columns.ts'
import { NoRows } from './no-rows.tsx'
import { RowsTable } from './rows-table.tsx'

interface TableSectionProps {
  pageState: EvaluationState
  /** The error that the page shows above the table. */
  displayedError: unknown
}

export function TableSection({ pageState, displayedError }: TableSectionProps) {
  const { id, query, evaluation } = pageState
  const isAwaitingRows = evaluation?.scenario_count === 0
  const { displayed, isPending, error, cancel } = useDisplayedQuery({
    query,
    windowQuery: (displayedQuery, index) => windowQuery(id, displayedQuery, index),
    // The baseline is only known when the evaluation is loaded.
    isReady: evaluation !== undefined,
    isAwaitingRows,
  })
  // An empty evaluation reloads when its first rows arrive.
  const queryClient = useQueryClient()
  const hasFirstRows = isAwaitingRows && displayed !== undefined && displayed.first.total > 0
  useEffect(() => {
    if (hasFirstRows) void queryClient.invalidateQueries({ queryKey: ['evaluation', id] })
  }, [queryClient, id, hasFirstRows])
  const summary = useLastDefined(pageState.summary)
  const firstRows = displayed?.first.rows
  const names = useMemo(() => firstRows && namesIn(firstRows), [firstRows])
  const choice = useColumns(pageState, names)
  const scenarios = evaluation?.scenario_count ?? 0
  return (
    <div className={styles.grid}>
      <div className={styles.loading}>
        {isPending && <Loading description={pluralize(scenarios, 'row')} onCancel={cancel} />}
      </div>
      <ErrorNotice error={isSameError(error, displayedError) ? null : error} />
      <p role="status" className="sr-only">
        {displayed && !isPending && announcement(displayed.first.total, displayed.query.order)}
      </p>
      {displayed &&
        (displayed.first.total > 0 ? (
          <RowsTable
            pageState={pageState}
            summary={summary}
            displayed={displayed}
            isBusy={isPending}
            choice={choice}
          />
        ) : scenarios > 0 ? (
          <div className={styles.empty}>
            <NoMatch
              filters={displayed.query.filters}
              totalQuery={(filters) => totalQuery(id, { filters, base: displayed.query.base })}
            />
          </div>
        ) : (
          <NoRows id={id} />
        ))}
    </div>
  )
}

/** Rows and summary often fail for the same reason, which is shown once. */
function isSameError(error: Error | null, other: unknown): boolean {
  return error instanceof AssayError && other instanceof AssayError && error.detail === other.detail
}

/** For screen readers: "2,310 rows, sorted by latency, highest first". */
function announcement(total: number, order: string | undefined): string {
  return [pluralize(total, 'row'), orderLabel(order)].filter(Boolean).join(', ')
}
