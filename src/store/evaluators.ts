// What an evaluation declares of its evaluators: which way is better, and from where on a score passes.
import { storable } from '../json/storable.ts'
import type { Connection } from './dialect/dialect.ts'

export interface DeclaredEvaluator {
  higher_is_better: boolean
  /** A score that reaches it passes; without one a score is no verdict. */
  threshold: number | null
}

/** Of an evaluator of which nothing is declared. */
export const UNDECLARED: DeclaredEvaluator = { higher_is_better: true, threshold: null }

/** By name; of several for one name the first counts. */
export type DeclaredEvaluators = Map<string, DeclaredEvaluator>

export async function getDeclaredEvaluators(
  connection: Connection,
  evaluation: number,
): Promise<DeclaredEvaluators> {
  const row = await connection.get<{ evaluators: string | null }>(
    'SELECT evaluators FROM evaluation WHERE key = ?',
    evaluation,
  )
  return declaredEvaluators(row?.evaluators ?? null)
}

/** `evaluators` is the JSON text of an evaluation's member. */
export function declaredEvaluators(evaluators: string | null): DeclaredEvaluators {
  const declared: DeclaredEvaluators = new Map()
  const list = JSON.parse(evaluators ?? '[]') as {
    name: string
    higher_is_better?: boolean
    threshold?: number
  }[]
  for (const { name, higher_is_better = true, threshold } of list) {
    const kept = storable(name)
    if (declared.has(kept)) continue
    // One that no double can hold is reached by none.
    const isNumber = threshold !== undefined && Number.isFinite(threshold)
    declared.set(kept, { higher_is_better, threshold: isNumber ? threshold : null })
  }
  return declared
}

/** Those that have a score in an evaluation, by name, each with how many rows have one. */
export async function findScored(connection: Connection, evaluation: number): Promise<Map<string, number>> {
  const rows = await connection.all<{ name: string; n: number }>(
    `SELECT name, count(*) AS n FROM evaluation_column AS score CROSS JOIN result
     WHERE score.evaluation = ? AND kind = 'score' AND result.evaluation = score.evaluation
       AND result.evaluator = score.ordinal AND result.is_error = 0 AND result.number IS NOT NULL
     GROUP BY score.ordinal, name ORDER BY score.ordinal`,
    evaluation,
  )
  return new Map(rows.map(({ name, n }) => [name, n]))
}
