// Queries about one evaluation. Query keys contain all parameters, so that equal queries share one request.
import { queryOptions } from '@tanstack/react-query'
import type { Evaluation, Rows } from 'assay-client'
import { assay } from '../api/client.ts'
import type { Filter } from '../state/row-params.ts'
import { WINDOW_SIZE, type WindowQuery } from './row-window.ts'

/** Filters, order and baseline of a list of rows. */
export interface RowQuery {
  filters: readonly Filter[]
  order?: string | undefined
  base?: string | undefined
}

export function rowParams({ filters, order, base }: RowQuery): Record<string, string | undefined> {
  return { ...Object.fromEntries(filters), order, base }
}

export function evaluationQuery(id: string) {
  return queryOptions({
    queryKey: ['evaluation', id],
    queryFn: ({ signal }) => assay.getEvaluation(id, { signal }),
  })
}

export function summaryQuery(id: string, query: Omit<RowQuery, 'order'>) {
  return queryOptions({
    queryKey: ['evaluation', id, 'summary', query],
    queryFn: ({ signal }) => assay.getEvaluationSummary(id, rowParams(query), { signal }),
    // Keep the previous statistics while a changed filter loads, but not those of another evaluation.
    placeholderData: (previous, previousQuery) => (previousQuery?.queryKey[1] === id ? previous : undefined),
  })
}

/** `kind` and `part` identify the query. */
function rowsQuery(
  id: string,
  query: RowQuery,
  [kind, part]: [kind: string, part?: string | number],
  window: { offset?: number; limit: number; preview?: number; locate?: string },
): WindowQuery<Rows> {
  return {
    queryKey: ['evaluation', id, kind, query, part],
    queryFn: ({ signal }) => assay.listEvaluationRows(id, { ...rowParams(query), ...window }, { signal }),
  }
}

export function windowQuery(id: string, query: RowQuery, index: number): WindowQuery<Rows> {
  return rowsQuery(id, query, ['rows', index], { offset: index * WINDOW_SIZE, limit: WINDOW_SIZE })
}

/** The number of rows. */
export function totalQuery(id: string, query: RowQuery): WindowQuery<Rows> {
  return rowsQuery(id, query, ['total'], { limit: 1, preview: 1 })
}

/** The position of a scenario in the view. `located` is null if the filters exclude it. */
export function positionQuery(id: string, query: RowQuery, scenario: string): WindowQuery<Rows> {
  return rowsQuery(id, query, ['position', scenario], { locate: scenario, limit: 1, preview: 1 })
}

/** The row at one position of a view. */
export function rowQuery(id: string, query: RowQuery, offset: number): WindowQuery<Rows> {
  return rowsQuery(id, query, ['row', offset], { offset, limit: 1, preview: 1 })
}

/** Sorts ids for a comparison: first the evaluation that is the baseline of another, then by age, the oldest first. */
export function sortBaselineFirst(evaluations: readonly Evaluation[]): string[] {
  const isBaseline = ({ id }: Evaluation) =>
    evaluations.some((other) => other.baseline_id === id && other.id !== id)
  return evaluations
    .toSorted(
      (one, other) =>
        Number(isBaseline(other)) - Number(isBaseline(one)) ||
        Date.parse(one.created_at) - Date.parse(other.created_at),
    )
    .map(({ id }) => id)
}
