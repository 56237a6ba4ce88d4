// The selected rows of an evaluation as SQL, for statements that read them more than once.
import type { Connection, SqlFragments } from '../dialect/dialect.ts'
import type { BoundSql } from '../reads/conditions.ts'

export interface RowSelection {
  /** A WITH clause that computes the selected rows once. Empty if all rows are selected. */
  with: BoundSql
  /** A WHERE condition for a table with the columns `evaluation` and `position`. */
  where: BoundSql
}

/** Selects the rows that match a condition over `measure AS row`, or all rows. */
export function selectRows(
  evaluation: number,
  condition: BoundSql | undefined,
  sql: SqlFragments,
): RowSelection {
  if (!condition) {
    return { with: { sql: '', values: [] }, where: { sql: 'evaluation = ?', values: [evaluation] } }
  }
  return {
    with: {
      sql: `WITH selected AS MATERIALIZED (
        SELECT row.position FROM measure AS row
        WHERE row.evaluation = ? AND ${sql.cancelable('row.position')} AND ${condition.sql})`,
      values: [evaluation, ...condition.values],
    },
    where: {
      sql: `evaluation = ? AND ${sql.cancelable('position')} AND position IN (SELECT position FROM selected)`,
      values: [evaluation],
    },
  }
}

/** By position: 1 for the rows that match a condition over `measure AS row`, or for all rows. */
export async function markMatchingRows(
  connection: Connection,
  { key, positionCount }: { key: number; positionCount: number },
  condition: BoundSql | undefined,
): Promise<Uint8Array> {
  const isMatching = new Uint8Array(positionCount)
  const positions = await connection.readNumbers(
    `SELECT row.position FROM measure AS row WHERE row.evaluation = ?${condition ? ` AND ${condition.sql}` : ''}`,
    key,
    ...(condition?.values ?? []),
  )
  for (const position of positions) isMatching[position] = 1
  return isMatching
}
