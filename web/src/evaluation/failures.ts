// The next failure before or behind a row, wherever in the view it is: the server looks for it.
import type { EvaluationSummary } from 'assay-client'
import { assay, queryClient } from '../api.ts'
import { judgementOf, PLAIN_RULE, type Row, type Rule } from './cells.ts'
import { placeQuestion, queryOf, type RowQuestion } from './questions.ts'
import type { Filter } from './view.ts'

interface Failure {
  id: string
  /** Where it is in the view. */
  index: number
}

/** What a failure is for an evaluator: a verdict that is false; where it gives none, an error. */
export function failureFilter(summary: EvaluationSummary, on: string | undefined): Filter {
  const evaluator = summary.evaluators.find(({ name }) => name === on)
  if (!evaluator) return ['error', 'is.true']
  if (evaluator.passed !== null) return [`result.${evaluator.name}`, 'is.false']
  return evaluator.errors > 0 ? [`result.${evaluator.name}`, 'is.error'] : ['error', 'is.true']
}

/** The same, of a row that is there. */
export function isFailure(row: Row, [name, value]: Filter, rule: Rule | undefined): boolean {
  if (name === 'error') return row.outputs.some(({ result }) => result.error)
  const state = value === 'is.error' ? 'error' : 'fail'
  return judgementOf(row, name.slice('result.'.length), rule ?? PLAIN_RULE).state === state
}

/** Undefined where there is no more of them that way, or the view leaves all of them out. */
export async function findFailure(
  evaluation: string,
  question: RowQuestion,
  failure: Filter,
  { from, isForward }: { from: string; isForward: boolean },
): Promise<Failure | undefined> {
  const [name, value] = failure
  // Of one name one filter can be asked.
  const rival = question.filters.find((one) => one[0] === name)
  if (rival && rival[1] !== value) return undefined
  const query = { ...queryOf(question), [name]: value, limit: 1, preview: 1 }
  const near = await assay.listEvaluationRows(evaluation, { ...query, locate: from })
  const { before = 0, located, total } = near
  const wanted = isForward ? before + (located === null ? 0 : 1) : before - 1
  if (wanted < 0 || wanted >= total) return undefined
  const { rows } =
    wanted === near.offset ? near : await assay.listEvaluationRows(evaluation, { ...query, offset: wanted })
  const id = rows[0]?.id
  if (id === undefined) return undefined
  const place = await queryClient.fetchQuery(placeQuestion(evaluation, question, id))
  return typeof place.located === 'number' ? { id, index: place.located } : undefined
}
