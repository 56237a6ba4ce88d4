// The row that is looked at: its place in the view, and the whole scenario that each evaluation has of it.
import { useQueries, useQuery } from '@tanstack/react-query'
import type { Comparison, ComparisonRows, Evaluation, EvaluationScenario } from 'assay-client'
import { useRef } from 'react'
import { evaluationQuestion } from '../evaluation/questions.ts'
import { exactScenarioQuestion } from '../scenario/questions.ts'
import { placeQuestion } from './questions.ts'
import type { Shown } from './shown.ts'
import type { OpenRow } from './view.ts'

export type JoinedRow = ComparisonRows['rows'][number]
export type ComparedEvaluation = Comparison['evaluations'][number]

/** What one of the evaluations has of the row. */
export interface RowSide {
  compared: ComparedEvaluation
  name: string
  /** With its thresholds, once they are known. */
  evaluation: Evaluation | undefined
  /** Null where it has no such row. */
  scenario: EvaluationScenario | null
}

export interface OpenedRow {
  row: JoinedRow
  base: RowSide
  candidates: RowSide[]
  /** While the next row is on its way the one before stays. */
  isOld: boolean
}

export function useOpenedRow(
  shown: Shown,
  open: OpenRow,
  place: ComparisonRows | undefined,
): { opened: OpenedRow | undefined; error: unknown } {
  const { view, comparison, question } = shown
  // Rows that the view leaves out are found among all.
  const among = useQuery({
    ...placeQuestion({ ...question, show: 'all', filters: [], order: undefined }, open),
    enabled: place?.located === null,
  })
  const found = place?.located === null ? among.data : place
  const row = typeof found?.located === 'number' ? found.rows[0] : undefined
  const ids = row ? scenarioIds(row) : []
  const scenarios = useQueries({
    queries: view.evaluations.map((evaluation, index) => ({
      ...exactScenarioQuestion(evaluation, ids[index] ?? ''),
      enabled: typeof ids[index] === 'string',
    })),
  })
  const evaluations = useQueries({ queries: view.evaluations.map((id) => evaluationQuestion(id)) })
  const isHere = ids.every((id, index) => id === null || scenarios[index]?.data !== undefined)
  const last = useRef<OpenedRow>(undefined)
  if (comparison && row && isHere) {
    const [base, ...candidates] = comparison.evaluations.map((compared, index) => ({
      compared,
      name: compared.name ?? compared.id,
      evaluation: evaluations[index]?.data,
      scenario: ids[index] === null ? null : (scenarios[index]?.data?.scenario ?? null),
    }))
    if (base) last.current = { row, base, candidates, isOld: false }
    return { opened: last.current, error: undefined }
  }
  const error = among.error ?? scenarios.find((one) => one.error)?.error
  return { opened: last.current && { ...last.current, isOld: true }, error }
}

/** Of the base and each candidate; null where one has no such row. */
export function scenarioIds({ base, candidates }: JoinedRow): (string | null)[] {
  return [base, ...candidates.map(({ row }) => row)].map((side) => side?.id ?? null)
}

/** How the address names a row. */
export function nameOfRow({ base, candidates }: JoinedRow): OpenRow | undefined {
  if (base) return { id: base.id, side: 'base' }
  const id = candidates[0]?.row?.id
  return id === undefined ? undefined : { id, side: 'candidate' }
}
