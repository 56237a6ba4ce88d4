// Queries for comparisons. Query keys contain all parameters, so that equal queries share one request.
import { queryOptions } from '@tanstack/react-query'
import type { ComparisonRows, ListComparisonRowsQuery } from 'assay-client'
import { assay } from '../../api/client.ts'
import type { ApiCall } from '../../format/api-snippets.ts'
import { createRowSource, type RowSource } from '../../queries/row-window.ts'
import type { Filter } from '../../state/row-params.ts'
import { type SearchParams, stringifySearch } from '../../state/search-params.ts'
import type { ClassFilter, RowRef } from './search-params.ts'

interface ComparisonQuery {
  /** Evaluation ids, the baseline first. */
  evaluations: readonly string[]
  /** The join key. */
  by: string
}

/** Selects and sorts rows. */
export interface RowQuery extends ComparisonQuery {
  show: ClassFilter
  on: string | undefined
  filters: readonly Filter[]
  order: string | undefined
}

export function rowParams({
  evaluations,
  by,
  show,
  on,
  filters,
  order,
}: RowQuery): ListComparisonRowsQuery & SearchParams {
  return { evaluation: [...evaluations], by, show, on, ...Object.fromEntries(filters), order }
}

export function comparisonQuery({ evaluations, by }: ComparisonQuery) {
  return queryOptions({
    queryKey: ['comparison', evaluations, by],
    queryFn: ({ signal }) => assay.compareEvaluations({ evaluation: [...evaluations], by }, { signal }),
  })
}

/** The labels of a question in the first candidate and in the baseline. */
export function labelComparisonQuery({ evaluations, by }: ComparisonQuery, on: string) {
  const [base = '', candidate = ''] = evaluations
  return queryOptions({
    queryKey: ['comparison', [base, candidate], by, 'labels', on],
    queryFn: ({ signal }) => assay.compareReviewLabels({ evaluation: [base, candidate], by, on }, { signal }),
  })
}

export type JoinedRow = ComparisonRows['rows'][number]

export function comparisonRows(query: RowQuery): RowSource<JoinedRow, RowRef, ComparisonRows> {
  return createRowSource({
    owner: ['comparison', query.evaluations],
    query,
    list: (params, options) => assay.listComparisonRows({ ...rowParams(query), ...params }, options),
    locate: ({ id, side }) => ({ locate: id, side }),
    refOf: ({ base, candidates }) => {
      if (base) return { id: base.id, side: 'base' }
      const id = candidates[0]?.row?.id
      return id === undefined ? undefined : { id, side: 'candidate' }
    },
  })
}

/** The regressions among the rows of a view; undefined if the view shows another class. */
export function regressionsIn(query: RowQuery): RowSource<JoinedRow, RowRef> | undefined {
  const { show, order } = query
  if (show === 'regressed') return comparisonRows(query)
  // Regressions have their own default order. When the view shows all rows, use the order of the view instead.
  return show === 'all'
    ? comparisonRows({ ...query, show: 'regressed', order: order ?? 'position' })
    : undefined
}

/** The API call that "Copy as" writes. */
export function viewCall(query: RowQuery, row?: RowRef): ApiCall {
  const params = rowParams(query)
  const rowParam = row && { locate: row.id, side: row.side }
  return {
    path: `/api/comparisons/rows${stringifySearch({ ...(params as SearchParams), ...rowParam, limit: row && '1' })}`,
    client: `listComparisonRows(${JSON.stringify({ ...params, ...rowParam, limit: row && 1 }, undefined, 2)})`,
  }
}
