// The state of the evaluation page: its search params, checked against the evaluation's columns, and the loaded data.
import { useQuery } from '@tanstack/react-query'
import { AssayError, type Evaluation, type EvaluationSummary } from 'assay-client'
import { useMemo } from 'react'
import { assay } from '../api/client.ts'
import { type Restriction, useCanRead } from '../api/restriction.ts'
import {
  DEFAULT_BASELINE,
  evaluationPolling,
  evaluationQuery,
  evaluationRows,
  type RowQuery,
  summaryQuery,
} from '../queries/evaluations.ts'
import { isNotFound } from '../queries/following.ts'
import { stateFromFilters, withoutStateFilters } from '../results/state-filters.ts'
import { firstChanged } from '../results/verdict-sentence.ts'
import { withoutUnknownNames } from '../state/row-params.ts'
import { NO_BASELINE, useEvaluationParams } from './search-params.ts'

/** Larger evaluations are grouped by rows once their summary says that they have repeats. Grouping takes longer. */
const MAX_GROUPED_AT_ONCE = 10_000

export type EvaluationState = ReturnType<typeof useEvaluationState>

/** With a `scenario`, the summary is only requested if the scenario cannot be located. */
export function useEvaluationState(id: string, scenario?: string) {
  const params = useEvaluationParams()
  const { data: evaluation, error } = useQuery({ ...evaluationQuery(id), ...evaluationPolling })
  const covers = useCanRead()
  const chosenId = params.base === NO_BASELINE ? undefined : (params.base ?? ownBaseline(evaluation, covers))
  const requestedId = chosenId === id ? undefined : chosenId
  const isRequestedAllowed = requestedId === DEFAULT_BASELINE || covers('evaluation', requestedId)
  // If the scenario can be located with these filters and this order, all their names are valid.
  const { filters: requestedFilters, order } = params
  const base = isRequestedAllowed ? requestedId : undefined
  const isUngrouped = params.group === 'none'
  // A page of one scenario has no summary that says whether there are repeats.
  const mayHaveRepeats = scenario !== undefined || (evaluation?.scenario_count ?? 0) <= MAX_GROUPED_AT_ONCE
  const position = useQuery({
    ...evaluationRows(id, {
      filters: requestedFilters,
      order,
      base,
      group: isUngrouped || !mayHaveRepeats ? undefined : 'row',
    }).positionQuery(scenario ?? ''),
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
  const comparedBase = isBaselineMissing ? undefined : requestedId
  const plainSummary = useQuery({
    ...summaryQuery(id, { filters: [] }),
    enabled: needsSummary && comparedBase === undefined,
  })
  const fullSummary = comparedBase === undefined ? plainSummary : comparedSummary
  // The API chooses the default baseline, and there can be none.
  const chosenBase = fullSummary.data?.base ?? position.data?.base
  const baselineId = comparedBase === DEFAULT_BASELINE ? chosenBase?.id : comparedBase
  const { columns, matched = 0, rows = matched } = fullSummary.data ?? {}
  const hasRepeats = rows < matched
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
    base: comparedBase,
  }
  const filteredSummary = useQuery({
    ...summaryQuery(id, statisticsQuery),
    enabled: columns !== undefined && statisticsQuery.filters.length > 0,
  })
  const query: RowQuery = {
    filters,
    order: knownOrder,
    base: comparedBase,
    group: !isUngrouped && (mayHaveRepeats || hasRepeats) ? 'row' : undefined,
  }
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
    /** The evaluation to compare with. Undefined while the default one is not known. */
    baselineId,
    /** The requested baseline, if it cannot be read. */
    missingBaselineId: isBaselineMissing ? requestedId : undefined,
    /** The evaluator whose states the chips show, and the selected state. */
    activeEvaluator,
    filterState: stateFromFilters(filters, activeEvaluator),
    /** Whether some rows have several scenarios, and whether the table lists each of these rows once. */
    hasRepeats,
    isGrouped: hasRepeats && !isUngrouped,
    /** The number of rows that the table has without filters. */
    rowCount: hasRepeats && !isUngrouped ? rows : evaluation?.scenario_count,
    ignored: [...params.ignored, ...unknown],
    /** Why the evaluation or its summary could not be loaded. */
    error: error ?? fullSummary.error ?? filteredSummary.error,
  }
}

/** The evaluation's own baseline, or the default one of its variant. Undefined without either. */
function ownBaseline(
  evaluation: Evaluation | undefined,
  covers: ReturnType<typeof useCanRead>,
): string | undefined {
  const { baseline_id = null, variant_id = null } = evaluation ?? {}
  if (baseline_id !== null) return covers('evaluation', baseline_id) ? baseline_id : undefined
  return variant_id === null ? undefined : DEFAULT_BASELINE
}

/** What a share link to this page must allow: the evaluation, and its baseline if it has one. */
export function restrictionOf({ id, baselineId }: EvaluationState): Restriction {
  return baselineId === undefined ? { evaluation_id: id } : { comparison: [baselineId, id] }
}

/** The requested evaluator, else one that changed against the baseline, else the first one with verdicts, else the first one. */
export function selectEvaluator(
  requested: string | undefined,
  { evaluators, base }: EvaluationSummary,
): string | undefined {
  const paired = evaluators.map((entry) => ({ name: entry.name, outcome: entry.base?.outcome ?? null }))
  const changed = base?.has_different_rows ? undefined : firstChanged(paired)
  const evaluator =
    evaluators.find(({ name }) => name === requested) ??
    evaluators.find(({ name }) => name === changed) ??
    evaluators.find(({ passed }) => passed !== null) ??
    evaluators[0]
  return evaluator?.name
}
