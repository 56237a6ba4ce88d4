// Removes the rows of deleted evaluations.
import { DELETED_PROJECT } from '../access/projects.ts'
import type { BackgroundTask } from '../background/task.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'
import { getColumnOrdinals } from './columns.ts'
import { deletePositions } from './derived-rows.ts'

/** Small evaluations are removed together. */
const MAX_EVALUATIONS = 100

export const FIND_DELETED = `SELECT key, next_position FROM evaluation
  WHERE project = ${DELETED_PROJECT} ORDER BY created_at, key LIMIT ?`

/** The tables of an evaluation without those of its scenarios. */
export const EVALUATION_TABLES = ['evaluation_column', 'evaluation_scores']

interface DeletedEvaluation {
  key: number
  /** The rows at and after this position are removed. */
  next_position: number
}

export const REMOVE_DELETED: BackgroundTask = {
  name: 'remove deleted evaluations',

  async hasWork(connection) {
    return (await connection.get(FIND_DELETED, 1)) !== undefined
  },

  async countEvaluations(connection) {
    const row = await connection.get<{ count: number }>(
      'SELECT count(*) AS count FROM evaluation WHERE project = ?',
      DELETED_PROJECT,
    )
    return row?.count ?? 0
  },

  async step(transaction, rowCount) {
    const evaluations = await transaction.all<DeletedEvaluation>(FIND_DELETED, MAX_EVALUATIONS)
    let restCount = rowCount
    for (const { key, next_position } of evaluations) {
      const start = Math.max(0, next_position - restCount)
      await removeFrom(transaction, key, start, next_position)
      if (start > 0) return true
      restCount -= next_position
    }
    return evaluations.length === MAX_EVALUATIONS
  },
}

/** The work that services do in the background, and the number of evaluations that are left. */
export async function findRemainingTasks(
  connection: Connection,
): Promise<{ task: string; evaluations: number }[]> {
  const evaluations = await REMOVE_DELETED.countEvaluations(connection)
  return evaluations > 0 ? [{ task: REMOVE_DELETED.name, evaluations }] : []
}

/**
 * From the last position to the first, with the remaining range in `next_position`: PostgreSQL would read the index
 * entries of removed rows again if it looked for the first row that remains.
 */
async function removeFrom(transaction: Transaction, key: number, start: number, end: number): Promise<void> {
  await deletePositions(transaction, key, await getColumnOrdinals(transaction, key), start, end)
  if (start > 0) await transaction.run('UPDATE evaluation SET next_position = ? WHERE key = ?', start, key)
  else await removeEvaluation(transaction, key)
}

/** Removes an evaluation that has no scenarios any more. */
export async function removeEvaluation(transaction: Transaction, key: number): Promise<void> {
  for (const table of EVALUATION_TABLES)
    await transaction.run(`DELETE FROM ${table} WHERE evaluation = ?`, key)
  await transaction.run('DELETE FROM evaluation WHERE key = ?', key)
}
