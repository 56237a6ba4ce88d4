// How often which error occurred: of the application, and of each evaluator, by the group of its message.
import type { EvaluationSummary } from '../schema/summaries.ts'
import type { Connection } from './dialect/dialect.ts'
import type { Selection } from './selections.ts'

/** So many are listed; all of them are counted. */
const MOST_GROUPS = 50

/** Stands for the application where evaluators have ordinals. */
const APPLICATION = -1

interface GroupRow {
  evaluator: number
  error_group: string
  count: number
  first: string
  group_count: number
}

/** The most frequent first. */
export async function findErrorGroups(
  connection: Connection,
  key: number,
  { with: chosen, where }: Selection,
  evaluators: string[],
): Promise<Pick<EvaluationSummary, 'error_groups' | 'error_group_count'>> {
  const rows = await connection.all<GroupRow>(
    `${chosen.sql === '' ? 'WITH' : `${chosen.sql},`} groups (evaluator, error_group, number, position) AS (
       SELECT ${APPLICATION}, error_group, count(*), min(position)
       FROM measure WHERE ${where.sql} AND has_error = 1 GROUP BY error_group
       UNION ALL
       SELECT evaluator, error_group, count(*), min(position)
       FROM result WHERE ${where.sql} AND is_error = 1 GROUP BY evaluator, error_group
     ), listed AS (
       SELECT groups.*, count(*) OVER () AS group_count FROM groups
       ORDER BY number DESC, error_group, evaluator LIMIT ${MOST_GROUPS}
     )
     SELECT evaluator, error_group, number AS count, group_count,
       (SELECT id FROM scenario WHERE scenario.evaluation = ? AND scenario.position = listed.position) AS first
     FROM listed ORDER BY number DESC, error_group, evaluator`,
    ...chosen.values,
    ...where.values,
    ...where.values,
    key,
  )
  return {
    error_groups: rows.map(({ evaluator, error_group, count, first }) => ({
      group: error_group,
      evaluator: evaluators[evaluator] ?? null,
      count,
      first,
    })),
    error_group_count: rows[0]?.group_count ?? 0,
  }
}
