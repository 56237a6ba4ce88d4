// The failures among the rows of a view, for the shortcuts that go to the next or previous one.
import type { EvaluationSummary } from 'assay-client'
import { evaluationRows, type RowQuery } from '../queries/evaluations.ts'
import type { RowSource } from '../queries/row-window.ts'
import { DEFAULT_RULE, judgeResult, type Row, resultOf, type ScoringRule } from '../results/cells.ts'
import { repeatedResult } from '../results/repeats.ts'
import type { Filter } from '../state/row-params.ts'

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
  const evaluator = name.slice('result.'.length)
  const repeated = row.repeats && repeatedResult(row.repeats, evaluator, rule ?? DEFAULT_RULE)
  if (repeated && state === 'fail') return repeated.states.includes('fail')
  return judgeResult(resultOf(row, evaluator), rule ?? DEFAULT_RULE).state === state
}

/** The failures of a view; undefined if the view excludes them. */
export function failuresIn(
  evaluation: string,
  query: RowQuery,
  failure: Filter,
): RowSource<Row, string> | undefined {
  // The API accepts each filter name only once.
  const existing = query.filters.find(([name]) => name === failure[0])
  if (existing) return existing[1] === failure[1] ? evaluationRows(evaluation, query) : undefined
  return evaluationRows(evaluation, { ...query, filters: [...query.filters, failure] })
}
