// Which rows of an evaluation a question is about, for statements that look at them more than once.
import type { Fragment } from './filters.ts'

export interface Selection {
  /** What a statement begins with: the rows, found once however often they are asked for. Empty where all are meant. */
  with: Fragment
  /** What stands behind WHERE, over a table that has the columns `evaluation` and `position`. */
  where: Fragment
}

/** The rows that a condition over `measure AS row` leaves; every row without one. */
export function selectRows(evaluation: number, condition: Fragment | undefined): Selection {
  if (!condition) {
    return { with: { sql: '', values: [] }, where: { sql: 'evaluation = ?', values: [evaluation] } }
  }
  return {
    with: {
      sql: `WITH chosen AS MATERIALIZED (
        SELECT row.position FROM measure AS row WHERE row.evaluation = ? AND ${condition.sql})`,
      values: [evaluation, ...condition.values],
    },
    where: { sql: 'evaluation = ? AND position IN (SELECT position FROM chosen)', values: [evaluation] },
  }
}
