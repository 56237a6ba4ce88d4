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

/** The positions of the rows that match a condition over `measure AS row`, or of all rows. */
function readPositions(
  connection: Connection,
  evaluation: number,
  condition: BoundSql | undefined,
): Promise<Float64Array> {
  return connection.readNumbers(
    `SELECT row.position FROM measure AS row WHERE row.evaluation = ?${condition ? ` AND ${condition.sql}` : ''}`,
    evaluation,
    ...(condition?.values ?? []),
  )
}

/** By position: 1 for the rows that match a condition over `measure AS row`, or for all rows. `count` is their number. */
export async function markMatchingRows(
  connection: Connection,
  { key, count, positionCount }: { key: number; count: number; positionCount: number },
  condition: BoundSql | undefined,
): Promise<Uint8Array> {
  const isMatching = new Uint8Array(positionCount)
  if (!condition && count === positionCount) return isMatching.fill(1)
  for (const position of await readPositions(connection, key, condition)) isMatching[position] = 1
  return isMatching
}

/** Rows by their positions: a condition over `measure AS row`, and one for any table with the column `position`. */
export interface PositionCondition extends BoundSql {
  positionSql: string
}

export interface FoundRows {
  count: number
  /** Undefined if all rows match, because statements without a condition are faster. */
  condition: PositionCondition | undefined
}

/** Finds the rows that match the condition once, for all statements: a search reads the text of every row. */
export async function findPositions(
  connection: Connection,
  evaluation: number,
  condition: BoundSql | undefined,
  rowCount: number,
): Promise<FoundRows> {
  if (!condition) return { count: rowCount, condition }
  const positions = await readPositions(connection, evaluation, condition)
  const count = positions.length
  if (count === rowCount) return { count, condition: undefined }
  const positionSql = `position IN (${connection.sql.integers})`
  return { count, condition: { sql: `row.${positionSql}`, positionSql, values: [`[${positions}]`] } }
}
