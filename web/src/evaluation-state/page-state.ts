// The state of the evaluation page: its search params, checked against the evaluation's columns, and the loaded data.
import { useQuery } from '@tanstack/react-query'
import { AssayError, type EvaluationSummary } from 'assay-client'
import { useMemo } from 'react'
import { assay } from '../api/client.ts'
import { type Restriction, useCanRead } from '../api/restriction.ts'
import {
  evaluationPolling,
  evaluationQuery,
  evaluationRows,
  type RowQuery,
  summaryQuery,
} from '../queries/evaluations.ts'
import { isNotFound } from '../queries/following.ts'
import { stateFromFilters, withoutStateFilters } from '../results/result-states.ts'
import { withoutUnknownNames } from '../state/row-params.ts'
import { useEvaluationParams } from './search-params.ts'

export type EvaluationState = ReturnType<typeof useEvaluationState>

/** With a `scenario`, the summary is only requested if the scenario cannot be located. */
export function useEvaluationState(id: string, scenario?: string) {
  const params = useEvaluationParams()
  const { data: evaluation, error } = useQuery({ ...evaluationQuery(id), ...evaluationPolling })
  const covers = useCanRead()
  const baseline = covers('evaluation', evaluation?.baseline_id) ? evaluation?.baseline_id : undefined
  const chosenId = params.base === '' ? undefined : (params.base ?? baseline ?? undefined)
  const requestedId = chosenId === id ? undefined : chosenId
  const isRequestedAllowed = covers('evaluation', requestedId)
  // If the scenario can be located with these filters and this order, all their names are valid.
  const { filters: requestedFilters, order } = params
  const base = isRequestedAllowed ? requestedId : undefined
  const position = useQuery({
    ...evaluationRows(id, { filters: requestedFilters, order, base }).positionQuery(scenario ?? ''),
    enabled: evaluation !== undefined && scenario !== undefined,
  })
  const needsSummary = evaluation !== undefined && (scenario === undefined || position.error !== null)
  // The unfiltered summary lists all columns: filters by unknown names are ignored instead of failing.
  const comparedSummary = useQuery({
    ...summaryQuery(id, { filters: [], base: requestedId }),
    enabled: needsSummary && requestedId !== undefined && isRequestedAllowed,
  })
  const isRejected =
    comparedSummary.error instanceof AssayError && [403, 404].includes(comparedSummary.error.status)
  const isBaselineMissing = requestedId !== undefined && (isRejected || !isRequestedAllowed)
  const baselineId = isBaselineMissing ? undefined : requestedId
  const plainSummary = useQuery({
    ...summaryQuery(id, { filters: [] }),
    enabled: needsSummary && baselineId === undefined,
  })
  const fullSummary = baselineId === undefined ? plainSummary : comparedSummary
  const columns = fullSummary.data?.columns
  const {
    filters,
    order: knownOrder,
    unknown,
  } = useMemo(
    () => withoutUnknownNames(params, columns && { ...columns, hasBaseline: baselineId !== undefined }),
    [params, columns, baselineId],
  )
  const activeEvaluator = fullSummary.data ? selectEvaluator(params.on, fullSummary.data) : params.on
  const statisticsQuery: RowQuery = {
    filters: withoutStateFilters(filters, activeEvaluator),
    base: baselineId,
  }
  const filteredSummary = useQuery({
    ...summaryQuery(id, statisticsQuery),
    enabled: columns !== undefined && statisticsQuery.filters.length > 0,
  })
  const query: RowQuery = { filters, order: knownOrder, base: baselineId }
  return {
    id,
    evaluation,
    /** Identifies what the evaluation and its rows contain. */
    version: evaluation && assay.etagOf(evaluation),
    /** Whether it was deleted while the page was open. */
    isDeleted: evaluation !== undefined && isNotFound(error),
    params,
    /** Selects and orders the rows. */
    query,
    /** Selects the rows that statistics and chips count: the same filters, without the selected state. */
    statisticsQuery,
    summary: statisticsQuery.filters.length > 0 ? filteredSummary.data : fullSummary.data,
    /** The statistics of all rows. */
    totalSummary: fullSummary.data,
    /** The evaluation to compare with. */
    baselineId,
    /** The requested baseline, if it cannot be read. */
    missingBaselineId: isBaselineMissing ? requestedId : undefined,
    /** The evaluator whose states the chips show, and the selected state. */
    activeEvaluator,
    filterState: stateFromFilters(filters, activeEvaluator),
    ignored: [...params.ignored, ...unknown],
    /** Why the evaluation or its summary could not be loaded. */
    error: error ?? fullSummary.error ?? filteredSummary.error,
  }
}

/** What a share link to this page must allow: the evaluation, and its baseline if it has one. */
export function restrictionOf({ id, baselineId }: EvaluationState): Restriction {
  return baselineId === undefined ? { evaluation_id: id } : { comparison: [baselineId, id] }
}

/** The requested evaluator, else the first one with verdicts, else the first one. */
export function selectEvaluator(
  requested: string | undefined,
  { evaluators }: EvaluationSummary,
): string | undefined {
  const evaluator =
    evaluators.find(({ name }) => name === requested) ??
    evaluators.find(({ passed }) => passed !== null) ??
    evaluators[0]
  return evaluator?.name
}
