// Data of the open row: the joined row and the full scenario of each evaluation.
import { useQueries, useQuery } from '@tanstack/react-query'
import type { Comparison, ComparisonRows, Evaluation, EvaluationScenario } from 'assay-client'
import { useRef } from 'react'
import { evaluationQuery } from '../../queries/evaluations.ts'
import { exactScenarioQuery } from '../../queries/scenarios.ts'
import type { ComparisonState } from './page-state.ts'
import { positionQuery } from './queries.ts'
import type { RowRef } from './search-params.ts'

export type JoinedRow = ComparisonRows['rows'][number]
export type ComparedEvaluation = Comparison['evaluations'][number]

/** The open row in one evaluation. */
export interface RowSide {
  comparedEvaluation: ComparedEvaluation
  name: string
  /** Contains the thresholds; undefined while loading. */
  evaluation: Evaluation | undefined
  /** Null if the evaluation does not have this row. */
  scenario: EvaluationScenario | null
}

export interface RowData {
  row: JoinedRow
  baseline: RowSide
  candidates: RowSide[]
  /** True while the next row is loading and this is still the previous one. */
  isStale: boolean
}

export function useRowData(
  state: ComparisonState,
  ref: RowRef,
  position: ComparisonRows | undefined,
): { rowData: RowData | undefined; error: unknown } {
  const { params, comparison, query } = state
  // A row that the view does not contain is read from the unfiltered rows.
  const unfiltered = useQuery({
    ...positionQuery({ ...query, show: 'all', filters: [], order: undefined }, ref),
    enabled: position?.located === null,
  })
  const found = position?.located === null ? unfiltered.data : position
  const row = typeof found?.located === 'number' ? found.rows[0] : undefined
  const ids = row ? scenarioIds(row) : []
  const scenarios = useQueries({
    queries: params.evaluations.map((evaluation, index) => ({
      ...exactScenarioQuery(evaluation, ids[index] ?? ''),
      enabled: typeof ids[index] === 'string',
    })),
  })
  const evaluations = useQueries({ queries: params.evaluations.map((id) => evaluationQuery(id)) })
  const isLoaded = ids.every((id, index) => id === null || scenarios[index]?.data !== undefined)
  const last = useRef<RowData>(undefined)
  if (comparison && row && isLoaded) {
    const [baseline, ...candidates] = comparison.evaluations.map((comparedEvaluation, index) => ({
      comparedEvaluation,
      name: comparedEvaluation.name ?? comparedEvaluation.id,
      evaluation: evaluations[index]?.data,
      scenario: ids[index] === null ? null : (scenarios[index]?.data?.scenario ?? null),
    }))
    if (baseline) last.current = { row, baseline, candidates, isStale: false }
    return { rowData: last.current, error: undefined }
  }
  const error = unfiltered.error ?? scenarios.find((scenario) => scenario.error)?.error
  return { rowData: last.current && { ...last.current, isStale: true }, error }
}

/** Scenario ids of the baseline and each candidate; null for an evaluation that does not have the row. */
export function scenarioIds({ base, candidates }: JoinedRow): (string | null)[] {
  return [base, ...candidates.map(({ row }) => row)].map((side) => side?.id ?? null)
}

/** The row's reference in the URL. */
export function rowRefOf({ base, candidates }: JoinedRow): RowRef | undefined {
  if (base) return { id: base.id, side: 'base' }
  const id = candidates[0]?.row?.id
  return id === undefined ? undefined : { id, side: 'candidate' }
}
