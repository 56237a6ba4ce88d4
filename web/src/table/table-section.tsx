// Loads the rows of a view and shows them as a table, or why there are none. Shows the previous rows until the first rows of the
// next query have loaded.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { AssayError } from 'assay-client'
import { type ReactNode, useMemo, useState } from 'react'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { pluralize } from '../format/numbers.ts'
import type { RowSource, RowWindow } from '../queries/row-window.ts'
import { useStable } from '../state/stable-values.ts'
import { Loading } from '../ui/messages/loading.tsx'
import { SkeletonRows } from '../ui/messages/skeleton.tsx'
import styles from './table.module.css'
import type { FollowedRows } from './table-state.ts'

/** The rows that the table displays. */
export interface DisplayedRows<Query, Row, Ref, Data extends RowWindow<Row>> {
  query: Query
  source: RowSource<Row, Ref, Data>
  /** The first window, as first loaded. */
  first: Data
  /** The search params of the query. */
  search: object
  version: string | undefined
  limit?: number | undefined
}

interface TableSectionProps<Query, Row, Ref, Data extends RowWindow<Row>> {
  query: Query
  sourceOf: (query: Query) => RowSource<Row, Ref, Data>
  isReady: boolean
  /** The latest version of the rows. Without it, they are not followed. */
  version?: string | undefined
  /** The number of scenarios; undefined until it is loaded. */
  scenarios: number | undefined
  /** An error that the page shows already. */
  displayedError?: unknown
  orderLabel: (displayed: DisplayedRows<Query, Row, Ref, Data>) => string | undefined
  renderTable: (
    displayed: DisplayedRows<Query, Row, Ref, Data>,
    isBusy: boolean,
    followed: FollowedRows,
  ) => ReactNode
  /** Replaces the table if there are no rows. */
  renderEmpty: (displayed: DisplayedRows<Query, Row, Ref, Data>) => ReactNode
}

export function TableSection<Query extends object, Row, Ref, Data extends RowWindow<Row>>(
  props: TableSectionProps<Query, Row, Ref, Data>,
) {
  const { isReady, version: latestVersion, scenarios, orderLabel, renderTable, renderEmpty } = props
  const queryClient = useQueryClient()
  const query = useStable(props.query)
  const source = props.sourceOf(query)
  const search: object = useSearch({ strict: false })
  const navigate = useNavigate()
  const [displayed, setDisplayed] = useState<DisplayedRows<Query, Row, Ref, Data>>()
  // Compared by value: canceling a query returns to the displayed rows.
  const isNew = JSON.stringify(displayed?.query) !== JSON.stringify(query)
  // A query that takes longer than the next change must not start again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each query has the version at its start
  const startVersion = useMemo(() => latestVersion, [query, isReady])
  // A table follows its rows itself. This query must not observe windows that the table loads: they would be canceled by the
  // next version.
  const isEmpty = displayed?.first.total === 0
  const version = isNew ? startVersion : isEmpty ? latestVersion : displayed?.version
  const isOutdated = isNew || displayed?.version !== version
  const { data: first, error } = useQuery({
    ...source.windowQuery(0, version),
    enabled: isReady && isOutdated,
  })
  if (first && isOutdated) setDisplayed({ query, source, first, search, version })
  const isPending = isNew && error === null
  return (
    <div className={styles.grid}>
      <div className={styles.loading}>
        {isPending && (
          <Loading
            description={describeRequest(search, scenarios)}
            // Restores the search params of the displayed rows.
            onCancel={
              displayed &&
              (() => void navigate({ to: '.', search: displayed.search as never, replace: true }))
            }
          />
        )}
      </div>
      <ErrorNotice error={isNew && !isSameError(error, props.displayedError) ? error : null} />
      {/* For screen readers: "2,310 rows, sorted by latency, highest first". */}
      <p role="status" className="sr-only">
        {displayed &&
          !isPending &&
          [pluralize(displayed.first.total, 'row'), orderLabel(displayed)].filter(Boolean).join(', ')}
      </p>
      {!displayed && isPending && (
        <div>
          <div className={styles.headerSkeleton} />
          <SkeletonRows rows={14} />
        </div>
      )}
      {displayed &&
        (displayed.first.total > 0 ? (
          renderTable(displayed, isPending, {
            version: displayed.version,
            latestVersion,
            limit: displayed.limit,
            show: (newVersion, limit) => {
              const { queryKey } = displayed.source.windowQuery(0, newVersion)
              const newFirst = queryClient.getQueryData<Data>(queryKey)
              // Without rows, the table is replaced. Otherwise the rows that it started with still determine its columns.
              const isEmpty = newFirst?.total === 0
              setDisplayed({
                ...displayed,
                version: newVersion,
                limit,
                ...(isEmpty && { first: newFirst }),
              })
            },
          })
        ) : (
          <div className={styles.empty}>{renderEmpty(displayed)}</div>
        ))}
    </div>
  )
}

/** "Searching 100,000 rows". */
function describeRequest(search: object, scenarios: number | undefined): string {
  const verb = 'q' in search ? 'Searching' : 'Loading'
  return scenarios === undefined ? `${verb} rows` : `${verb} ${pluralize(scenarios, 'row')}`
}

/** Rows and summary often fail for the same reason, which is shown once. */
function isSameError(error: Error | null, other: unknown): boolean {
  return error instanceof AssayError && other instanceof AssayError && error.detail === other.detail
}
