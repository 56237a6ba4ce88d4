// Queries about one evaluation. Query keys contain all parameters, so that equal queries share one request.
import { queryOptions } from '@tanstack/react-query'
import type { Evaluation, EvaluationRows } from 'assay-client'
import { assay } from '../api/client.ts'
import type { Filter } from '../state/row-params.ts'
import { pollingOf, readFollowed } from './following.ts'
import { createRowSource, type RowSource } from './row-window.ts'

/** Requests the default baseline of an evaluation. */
export const DEFAULT_BASELINE = ''

/** Filters, order and baseline of a list of rows. */
export interface RowQuery {
  filters: readonly Filter[]
  order?: string | undefined
  base?: string | undefined
  /** Lists scenarios that are repeats of the same row once. */
  group?: 'row' | undefined
}

export function rowParams(
  query: RowQuery,
): Record<string, string | string[] | undefined> & Pick<RowQuery, 'group'> {
  const { filters, ...params } = query
  return { ...Object.fromEntries(filters), ...params }
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

export function summaryQuery(id: string, query: Pick<RowQuery, 'filters' | 'base'>) {
  return queryOptions({
    queryKey: ['evaluation', id, 'summary', query],
    queryFn: ({ signal }) => {
      const { filters, base } = query
      return assay.getEvaluationSummary(id, { ...Object.fromEntries(filters), base }, { signal })
    },
    // Keep the previous statistics while a changed filter loads, but not those of another evaluation.
    placeholderData: (previous, previousQuery) => (previousQuery?.queryKey[1] === id ? previous : undefined),
  })
}

type Row = EvaluationRows['rows'][number]

/** Whether a row is a scenario, or has it as one of its repeats. */
export function hasScenario({ id, repeats }: Row, scenario: string): boolean {
  return id === scenario || repeats?.scenarios.includes(scenario) === true
}

/** The rows of an evaluation, identified by the id of any of their scenarios. */
export function evaluationRows(id: string, query: RowQuery): RowSource<Row, string, EvaluationRows> {
  return createRowSource({
    owner: ['evaluation', id],
    query,
    list: (params, options) => assay.listEvaluationRows(id, { ...rowParams(query), ...params }, options),
    locate: (scenario) => ({ locate: scenario }),
    refOf: (row) => row.id,
    hasRef: hasScenario,
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
