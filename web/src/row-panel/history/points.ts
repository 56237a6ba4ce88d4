// The points of a row's history: which evaluators they show, and the state and score of each.
import type { Evaluation, ScenarioHistory } from 'assay-client'
import { resultOf, ruleOf } from '../../results/cells.ts'
import { stateOf } from '../../results/outcomes.ts'
import type { ResultState } from '../../results/result-states.ts'

export type HistoryRow = ScenarioHistory['rows'][number]

/** "r5"; the name of an evaluation without a revision. */
export function labelOf({ revision, name, evaluation_id }: HistoryRow): string {
  return revision === null ? (name ?? evaluation_id) : `r${revision}`
}

export function rowState(row: HistoryRow, evaluator: string, evaluation: Evaluation): ResultState {
  const settings = evaluation.evaluators?.find(({ name }) => name === evaluator)
  return stateOf(resultOf(row, evaluator), ruleOf(settings), row.output_failed)
}

/** The score of an evaluator; undefined for verdicts, labels and errors. */
export function scoreOf(row: HistoryRow, evaluator: string): number | undefined {
  const { value, error } = resultOf(row, evaluator) ?? {}
  return !error && typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

interface MainEvaluators {
  /** Its state is the icon of a point. Undefined without any results. */
  state?: string | undefined
  /** Its score is the number of a point. */
  score?: string | undefined
}

/** The first evaluator with verdicts, and the first one with scores. The preferred one is the first of all. */
export function mainEvaluators(
  rows: readonly HistoryRow[],
  evaluation: Evaluation,
  preferred: string | undefined,
): MainEvaluators {
  const used = new Set(rows.flatMap(({ results }) => results.map(({ evaluator_config }) => evaluator_config)))
  const names = [...used].sort((a, b) => Number(b === preferred) - Number(a === preferred))
  const hasVerdict = (name: string) =>
    rows.some((row) => ['pass', 'fail'].includes(rowState(row, name, evaluation)))
  const hasScore = (name: string) => rows.some((row) => scoreOf(row, name) !== undefined)
  const verdict = names.find(hasVerdict)
  const score = verdict !== undefined && hasScore(verdict) ? verdict : names.find(hasScore)
  return { state: verdict ?? score ?? names[0], score }
}
