// Data of the open row: the joined row and the full scenario of each evaluation.
import { useQueries, useQuery } from '@tanstack/react-query'
import type { Comparison, ComparisonRows, Evaluation, EvaluationScenario } from 'assay-client'
import { useRef } from 'react'
import { evaluationQuery } from '../../queries/evaluations.ts'
import { scenarioTextQuery } from '../../queries/scenarios.ts'
import { shortName } from './evaluation-links.ts'
import type { ComparisonState } from './page-state.ts'
import { comparisonRows, type JoinedRow } from './queries.ts'
import type { RowRef } from './search-params.ts'

export type ComparedEvaluation = Comparison['evaluations'][number]

/** The open row in the baseline or in a candidate. */
export interface EvaluationRow {
  comparedEvaluation: ComparedEvaluation
  name: string
  /** "r5", for labels with little room. */
  shortName: string
  /** Provides the thresholds of the evaluators. Undefined while loading. */
  evaluation: Evaluation | undefined
  /** Null if the evaluation does not have this row. */
  scenario: EvaluationScenario | null
}

export interface RowData {
  row: JoinedRow
  baseline: EvaluationRow
  candidates: EvaluationRow[]
  /** True while another row is loading. The data is still that of the previous row. */
  isStale: boolean
}

/** The scenarios of the selected repeats, by the index of their evaluation. The others show the first repeat. */
export type SelectedRepeats = Readonly<Record<number, string>>

/** `locatedRows` is the result of positionQuery for the row. Undefined while loading. */
export function useRowData(
  state: ComparisonState,
  rowRef: RowRef,
  locatedRows: ComparisonRows | undefined,
  selectedRepeats: SelectedRepeats,
): { rowData: RowData | undefined; error: unknown; failureReason: unknown } {
  const { params, comparison, query } = state
  // If the view does not contain the row, read it without filters.
  const unfilteredRows = useQuery({
    ...comparisonRows({ ...query, show: 'all', filters: [], order: undefined }).positionQuery(rowRef),
    enabled: locatedRows?.located === null,
  })
  const foundRows = locatedRows?.located === null ? unfilteredRows.data : locatedRows
  const row = typeof foundRows?.located === 'number' ? foundRows.rows[0] : undefined
  const ids = row ? scenarioIds(row).map((id, index) => selectedRepeats[index] ?? id) : []
  const scenarios = useQueries({
    queries: params.evaluations.map((evaluation, index) => ({
      ...scenarioTextQuery(evaluation, ids[index] ?? ''),
      enabled: typeof ids[index] === 'string',
    })),
  })
  const evaluations = useQueries({ queries: params.evaluations.map((id) => evaluationQuery(id)) })
  const isLoaded = ids.every((id, index) => id === null || scenarios[index]?.data !== undefined)
  const lastRowData = useRef<RowData>(undefined)
  if (comparison && row && isLoaded) {
    const [baseline, ...candidates] = comparison.evaluations.map((comparedEvaluation, index) => ({
      comparedEvaluation,
      name: comparedEvaluation.name ?? comparedEvaluation.id,
      shortName: shortName(comparison, comparedEvaluation.id),
      evaluation: evaluations[index]?.data,
      scenario: ids[index] === null ? null : (scenarios[index]?.data?.scenario ?? null),
    }))
    if (baseline) lastRowData.current = { row, baseline, candidates, isStale: false }
    return { rowData: lastRowData.current, error: undefined, failureReason: undefined }
  }
  const requests = [unfilteredRows, ...scenarios]
  return {
    rowData: lastRowData.current && { ...lastRowData.current, isStale: true },
    error: requests.find((request) => request.error)?.error,
    failureReason: requests.find((request) => request.failureReason)?.failureReason,
  }
}

/** Whether the row has several scenarios in one of the evaluations. */
export function hasRepeats({ base_repeats, candidates }: JoinedRow): boolean {
  return base_repeats !== null || candidates.some(({ repeats }) => repeats !== null)
}

/** Scenario ids of the baseline and each candidate; null for an evaluation that does not have the row. */
export function scenarioIds({ base, candidates }: JoinedRow): (string | null)[] {
  return [base, ...candidates.map(({ row }) => row)].map((row) => row?.id ?? null)
}
