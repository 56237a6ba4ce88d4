// The state of the evaluation page: its search params, checked against the evaluation's columns, and the loaded data.
import { useQuery } from '@tanstack/react-query'
import { AssayError, type Evaluation, type EvaluationSummary } from 'assay-client'
import { useMemo } from 'react'
import { type Restriction, useCanRead } from '../api/restriction.ts'
import { evaluationQuery, evaluationRows, type RowQuery, summaryQuery } from '../queries/evaluations.ts'
import { isKnownParam } from '../queries/known-params.ts'
import { type FilterState, stateFromFilters, withoutStateFilters } from '../results/result-states.ts'
import type { Filter } from '../state/row-params.ts'
import { type EvaluationParams, useEvaluationParams } from './search-params.ts'

export interface EvaluationState {
  id: string
  evaluation: Evaluation | undefined
  params: EvaluationParams
  /** Selects and orders the rows. */
  query: RowQuery
  /** Selects the rows that statistics and chips count: the same filters, without the selected state. */
  statisticsQuery: RowQuery
  summary: EvaluationSummary | undefined
  /** The evaluation to compare with. */
  baselineId: string | undefined
  /** The requested baseline, if it cannot be read. */
  missingBaselineId: string | undefined
  /** The evaluator whose states the chips show, and the selected state. */
  activeEvaluator: string | undefined
  filterState: FilterState | undefined
  ignored: string[]
  /** Why the evaluation or its summary could not be loaded. */
  error: unknown
}

type Columns = EvaluationSummary['columns']

/** With a `scenario`, the summary is only requested if the scenario cannot be located. */
export function useEvaluationState(id: string, scenario?: string): EvaluationState {
  const params = useEvaluationParams()
  const { data: evaluation, error } = useQuery(evaluationQuery(id))
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
  const [filters, unknownFilters] = useMemo(
    () => knownFilters(params.filters, columns, baselineId),
    [params.filters, columns, baselineId],
  )
  const isOrderKnown =
    params.order === undefined || isKnownParam(params.order, columns, baselineId !== undefined)
  const activeEvaluator = columns ? selectEvaluator(params.on, fullSummary.data) : params.on
  const statisticsQuery = {
    filters: activeEvaluator === undefined ? filters : withoutStateFilters(filters, activeEvaluator),
    base: baselineId,
  }
  const filteredSummary = useQuery({
    ...summaryQuery(id, statisticsQuery),
    enabled: columns !== undefined && statisticsQuery.filters.length > 0,
  })
  const unknown = [...unknownFilters, ...(isOrderKnown ? [] : [`order=${params.order}`])]
  return {
    id,
    evaluation,
    params,
    query: { filters, order: isOrderKnown ? params.order : undefined, base: baselineId },
    statisticsQuery,
    summary: statisticsQuery.filters.length > 0 ? filteredSummary.data : fullSummary.data,
    baselineId,
    missingBaselineId: isBaselineMissing ? requestedId : undefined,
    activeEvaluator,
    filterState: activeEvaluator === undefined ? undefined : stateFromFilters(filters, activeEvaluator),
    ignored: [...params.ignored, ...unknown],
    error: error ?? fullSummary.error ?? filteredSummary.error,
  }
}

/** What a share link to this page must allow: the evaluation, and its baseline if it has one. */
export function restrictionOf({ id, baselineId }: EvaluationState): Restriction {
  return baselineId === undefined ? { evaluation_id: id } : { comparison: [baselineId, id] }
}

/** The filters with known names, and the names of the others. All are accepted until the columns are loaded. */
function knownFilters(
  filters: Filter[],
  columns: Columns | undefined,
  baselineId: string | undefined,
): [known: Filter[], unknown: string[]] {
  const knownFilters = filters.filter(([name]) => isKnownParam(name, columns, baselineId !== undefined))
  return [knownFilters, filters.filter((filter) => !knownFilters.includes(filter)).map(([name]) => name)]
}

/** The requested evaluator, else the first one with verdicts, else the first one. */
export function selectEvaluator(
  requested: string | undefined,
  summary: EvaluationSummary | undefined,
): string | undefined {
  const evaluators = summary?.evaluators ?? []
  const evaluator =
    evaluators.find(({ name }) => name === requested) ??
    evaluators.find(({ passed }) => passed !== null) ??
    evaluators[0]
  return evaluator?.name
}
