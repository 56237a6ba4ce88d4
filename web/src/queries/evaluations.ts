// Queries about one evaluation. Query keys contain all parameters, so that equal queries share one request.
import { queryOptions } from '@tanstack/react-query'
import type { Evaluation, EvaluationRows } from 'assay-client'
import { assay } from '../api/client.ts'
import type { Filter } from '../state/row-params.ts'
import { pollingOf, readFollowed } from './following.ts'
import { createRowSource, type RowSource } from './row-window.ts'

/** Filters, order and baseline of a list of rows. */
export interface RowQuery {
  filters: readonly Filter[]
  order?: string | undefined
  base?: string | undefined
}

export function rowParams({ filters, order, base }: RowQuery): Record<string, string | string[] | undefined> {
  return { ...Object.fromEntries(filters), order, base }
}

export function evaluationQuery(id: string) {
  return queryOptions({
    queryKey: ['evaluation', id],
    queryFn: (context) =>
      readFollowed(context, (options) => assay.getEvaluation(id, options), {
        queryKey: ['evaluation', id],
        predicate: ({ queryKey: [, , kind] }) => kind !== undefined,
      }),
    // Keep the object of the client, which identifies the version.
    structuralSharing: false,
  })
}

/** Requests the evaluation again while its page is visible. */
export const evaluationPolling = pollingOf((evaluation: Evaluation) => [evaluation])

export function summaryQuery(id: string, query: Omit<RowQuery, 'order'>) {
  return queryOptions({
    queryKey: ['evaluation', id, 'summary', query],
    queryFn: ({ signal }) => assay.getEvaluationSummary(id, rowParams(query), { signal }),
    // Keep the previous statistics while a changed filter loads, but not those of another evaluation.
    placeholderData: (previous, previousQuery) => (previousQuery?.queryKey[1] === id ? previous : undefined),
  })
}

/** The rows of an evaluation, identified by their scenario ids. */
export function evaluationRows(
  id: string,
  query: RowQuery,
): RowSource<EvaluationRows['rows'][number], string, EvaluationRows> {
  return createRowSource({
    owner: ['evaluation', id],
    query,
    list: (params, options) => assay.listEvaluationRows(id, { ...rowParams(query), ...params }, options),
    locate: (scenario) => ({ locate: scenario }),
    refOf: (row) => row.id,
  })
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
