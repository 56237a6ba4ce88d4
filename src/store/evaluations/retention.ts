// Finds evaluations that are older than the retention of a project.
import type { Connection } from '../dialect/dialect.ts'

export interface OldEvaluation {
  key: number
  id: string
  created_at: string
  scenario_count: number
}

const FIND_OLD = `SELECT key, id, created_at, scenario_count FROM evaluation
  WHERE project = ? AND created_at < ?`

const IS_NO_BASELINE = `id NOT IN (SELECT baseline_id FROM evaluation
  WHERE project = ? AND baseline_id IS NOT NULL AND baseline_id <> id)`

/** Evaluations created before a time, oldest first. `keepsBaselines`: without those that another one names as baseline. */
export function findOldEvaluations(
  connection: Connection,
  project: number,
  before: string,
  keepsBaselines: boolean,
): Promise<OldEvaluation[]> {
  const [condition, values] = keepsBaselines ? [` AND ${IS_NO_BASELINE}`, [project]] : ['', []]
  return connection.all<OldEvaluation>(
    `${FIND_OLD}${condition} ORDER BY created_at, key`,
    project,
    before,
    ...values,
  )
}
