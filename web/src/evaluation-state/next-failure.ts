// Finds the next or previous failed row on the server, also outside of the loaded rows.
import type { EvaluationSummary } from 'assay-client'
import { assay, queryClient } from '../api/client.ts'
import { positionQuery, type RowQuery, rowParams } from '../queries/evaluations.ts'
import { DEFAULT_RULE, judgeResult, type Row, type ScoringRule } from '../results/cells.ts'
import type { Filter } from '../state/row-params.ts'

interface Failure {
  id: string
  /** Its index among the rows that match the query. */
  index: number
}

/** The filter that matches failures: a failed verdict, or an error if the evaluator has no verdicts. */
export function failureFilter(summary: EvaluationSummary, evaluatorName: string | undefined): Filter {
  const evaluator = summary.evaluators.find(({ name }) => name === evaluatorName)
  if (!evaluator) return ['error', 'is.true']
  if (evaluator.passed !== null) return [`result.${evaluator.name}`, 'is.false']
  return evaluator.errors > 0 ? [`result.${evaluator.name}`, 'is.error'] : ['error', 'is.true']
}

/** Whether a loaded row matches a failure filter. */
export function isFailure(row: Row, [name, value]: Filter, rule: ScoringRule | undefined): boolean {
  if (name === 'error') return row.outputs.some(({ result }) => result.error)
  const state = value === 'is.error' ? 'error' : 'fail'
  return judgeResult(row, name.slice('result.'.length), rule ?? DEFAULT_RULE).state === state
}

/** Returns undefined if there is no further failure in that direction, or if the query excludes failures. */
export async function findNextFailure(
  evaluation: string,
  query: RowQuery,
  failure: Filter,
  { from, isForward }: { from: string; isForward: boolean },
): Promise<Failure | undefined> {
  const [name, value] = failure
  // The API accepts each filter name only once.
  const existing = query.filters.find((filter) => filter[0] === name)
  if (existing && existing[1] !== value) return undefined
  const failuresQuery = { ...rowParams(query), [name]: value, limit: 1, preview: 1 }
  const nearby = await assay.listEvaluationRows(evaluation, { ...failuresQuery, locate: from })
  const { before = 0, located, total } = nearby
  const offset = isForward ? before + (located === null ? 0 : 1) : before - 1
  if (offset < 0 || offset >= total) return undefined
  const { rows } =
    offset === nearby.offset
      ? nearby
      : await assay.listEvaluationRows(evaluation, { ...failuresQuery, offset })
  const id = rows[0]?.id
  if (id === undefined) return undefined
  const position = await queryClient.fetchQuery(positionQuery(evaluation, query, id))
  return typeof position.located === 'number' ? { id, index: position.located } : undefined
}
