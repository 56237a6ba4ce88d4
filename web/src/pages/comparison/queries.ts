// Queries for comparisons. Query keys contain all parameters, so that equal queries share one request.
import { queryOptions } from '@tanstack/react-query'
import type { ComparisonRows, ListComparisonRowsQuery } from 'assay-client'
import { assay } from '../../api/client.ts'
import type { ApiCall } from '../../format/api-snippets.ts'
import { WINDOW_SIZE, type WindowQuery } from '../../queries/row-window.ts'
import type { Filter } from '../../state/row-params.ts'
import { type SearchParams, stringifySearch } from '../../state/search-params.ts'
import type { ClassFilter, RowRef } from './search-params.ts'

export interface ComparisonQuery {
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

export function windowQuery(query: RowQuery, index: number): WindowQuery<ComparisonRows> {
  return {
    queryKey: ['comparison', query.evaluations, 'rows', query, index],
    queryFn: ({ signal }) =>
      assay.listComparisonRows(
        { ...rowParams(query), offset: index * WINDOW_SIZE, limit: WINDOW_SIZE },
        { signal },
      ),
  }
}

/** Reads only the total number of rows. */
export function totalQuery(query: RowQuery): WindowQuery<ComparisonRows> {
  return {
    queryKey: ['comparison', query.evaluations, 'total', query],
    queryFn: ({ signal }) =>
      assay.listComparisonRows({ ...rowParams(query), limit: 1, preview: 1 }, { signal }),
  }
}

/** Position of a row in the view, and the row itself. `located` is null if the view does not contain it. */
export function positionQuery(query: RowQuery, { id, side }: RowRef): WindowQuery<ComparisonRows> {
  return {
    queryKey: ['comparison', query.evaluations, 'position', query, id, side],
    queryFn: ({ signal }) =>
      assay.listComparisonRows({ ...rowParams(query), locate: id, side, limit: 1, preview: 1 }, { signal }),
  }
}

/** The row at one offset of the view. */
export function rowAtQuery(query: RowQuery, offset: number) {
  return queryOptions({
    queryKey: ['comparison', query.evaluations, 'row', query, offset],
    queryFn: ({ signal }) =>
      assay.listComparisonRows({ ...rowParams(query), offset, limit: 1, preview: 1 }, { signal }),
  })
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
