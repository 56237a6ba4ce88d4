// Classifies the ids of evaluations that version 0.1 has written: whether they were generated.
import { DELETED_PROJECT } from '../access/projects.ts'
import type { BackgroundTask } from '../background/task.ts'
import { classifyIds } from '../scenarios/generated-ids.ts'

export const FIND_UNCLASSIFIED = `SELECT evaluation, end_position, project, id
  FROM unclassified_ids LEFT JOIN evaluation ON key = evaluation ORDER BY evaluation LIMIT 1`

interface Unclassified {
  evaluation: number
  end_position: number
  /** Null if the evaluation does not exist any more. */
  project: number | null
  id: string | null
}

export const CLASSIFY_IDS: BackgroundTask = {
  name: 'classify ids',

  async hasWork(connection) {
    return (await connection.get(FIND_UNCLASSIFIED)) !== undefined
  },

  async countEvaluations(connection) {
    const row = await connection.get<{ count: number }>('SELECT count(*) AS count FROM unclassified_ids')
    return row?.count ?? 0
  },

  async step(transaction, rowCount) {
    const found = await transaction.get<Unclassified>(FIND_UNCLASSIFIED)
    if (!found) return false
    await transaction.lock('evaluation', found.project ?? DELETED_PROJECT, found.id ?? '')
    // Until the lock, the evaluation could be deleted, and another process could classify it.
    const current = await transaction.get<Unclassified>(FIND_UNCLASSIFIED)
    if (current?.evaluation !== found.evaluation || current.project !== found.project) return true
    if (current.project === null || current.project === DELETED_PROJECT)
      await transaction.run('DELETE FROM unclassified_ids WHERE evaluation = ?', current.evaluation)
    else await classifyIds(transaction, current.evaluation, Math.max(0, current.end_position - rowCount))
    return true
  },
}
