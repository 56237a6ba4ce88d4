// Verdicts as SQL: results that are true or false, and numbers if the evaluator declares a threshold.
import type { SqlFragments } from '../dialect/dialect.ts'
import { DEFAULT_EVALUATOR, type DeclaredEvaluator } from '../evaluations/evaluators.ts'
import { type BoundSql, joinConditions } from '../reads/conditions.ts'

/** The results of a table, or of its alias, that passed or failed. Results of failed evaluators are no verdicts. */
export function matchVerdict(
  hasPassed: boolean,
  { higher_is_better, threshold }: DeclaredEvaluator = DEFAULT_EVALUATOR,
  table = 'result',
): BoundSql {
  const verdict = `${table}.is_verdict = 1 AND ${table}.number = ${Number(hasPassed)}`
  if (threshold === null) return { sql: `${table}.is_error = 0 AND ${verdict}`, values: [] }
  const sign = higher_is_better ? (hasPassed ? '>=' : '<') : hasPassed ? '<=' : '>'
  return {
    sql: `${table}.is_error = 0 AND (${verdict} OR ${table}.is_verdict = 0 AND ${table}.number ${sign} ?)`,
    values: [threshold],
  }
}

/** One of two evaluators whose results are compared. */
export interface PairedEvaluator {
  ordinal: number
  declared: DeclaredEvaluator | undefined
}

export type EvaluatorPair = readonly [first: PairedEvaluator, second: PairedEvaluator]

/** The results of two evaluators for the same row, as tables `a` and `b`: SQL from FROM to WHERE. */
export function selectResultPairs(
  evaluation: number,
  [first, second]: EvaluatorPair,
  sql: SqlFragments,
): BoundSql {
  return {
    sql: `FROM result AS a CROSS JOIN result AS b WHERE a.evaluation = ? AND a.evaluator = ?
      AND b.evaluation = a.evaluation AND b.evaluator = ? AND b.position = a.position
      AND ${sql.cancelable('a.position')}`,
    values: [evaluation, first.ordinal, second.ordinal],
  }
}

/** The pairs of results with these verdicts. */
export function matchVerdicts(
  [first, second]: EvaluatorPair,
  hasFirstPassed: boolean,
  hasSecondPassed: boolean,
): BoundSql {
  return joinConditions([
    matchVerdict(hasFirstPassed, first.declared, 'a'),
    matchVerdict(hasSecondPassed, second.declared, 'b'),
  ])
}
