// Counts errors of the application and of each evaluator by message group.
import type { EvaluationSummary } from '../../schema/summaries.ts'
import type { Connection } from '../dialect/dialect.ts'
import type { RowSelection } from './row-selection.ts'

/** Only the most frequent groups are listed; all of them are counted. */
const MAX_GROUPS = 50

/** The ordinal that represents the application. */
const APPLICATION_ORDINAL = -1

interface GroupRow {
  evaluator: number
  error_group: string
  count: number
  first: string
  group_count: number
}

/** Returns the most frequent groups first. */
export async function findErrorGroups(
  connection: Connection,
  key: number,
  { with: cte, where }: RowSelection,
  evaluators: { name: string; ordinal: number }[],
): Promise<Pick<EvaluationSummary, 'error_groups' | 'error_group_count'>> {
  const rows = await connection.all<GroupRow>(
    `${cte.sql === '' ? 'WITH' : `${cte.sql},`} groups (evaluator, error_group, number, position) AS (
       SELECT ${APPLICATION_ORDINAL}, error_group, count(*), min(position)
       FROM measure WHERE ${where.sql} AND has_error = 1 GROUP BY error_group
       UNION ALL
       SELECT evaluator, error_group, count(*), min(position)
       FROM result WHERE ${where.sql} AND is_error = 1 GROUP BY evaluator, error_group
     ), listed AS (
       SELECT groups.*, count(*) OVER () AS group_count FROM groups
       ORDER BY number DESC, error_group, evaluator LIMIT ${MAX_GROUPS}
     )
     SELECT evaluator, error_group, number AS count, group_count,
       (SELECT id FROM scenario WHERE scenario.evaluation = ? AND scenario.position = listed.position) AS first
     FROM listed ORDER BY number DESC, error_group, evaluator`,
    ...cte.values,
    ...where.values,
    ...where.values,
    key,
  )
  const names = new Map(evaluators.map(({ name, ordinal }) => [ordinal, name]))
  return {
    error_groups: rows.map(({ evaluator, error_group, count, first }) => ({
      group: error_group,
      evaluator: names.get(evaluator) ?? null,
      count,
      first,
    })),
    error_group_count: rows[0]?.group_count ?? 0,
  }
}
