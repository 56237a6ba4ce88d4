// Removes the search texts that earlier versions stored in SQLite. It takes short transactions: dropping the table would read
// all of it in one.
import type { BackgroundTask } from '../background/task.ts'

export const REMOVE_SEARCH_TEXTS: BackgroundTask = {
  name: 'remove search texts',

  async hasWork(connection) {
    if (connection.sql.storesSearchText) return false
    return (await connection.get('SELECT 1 FROM search LIMIT 1')) !== undefined
  },

  /** Includes evaluations without search texts that are older than the last one with them. */
  async countEvaluations(connection) {
    if (connection.sql.storesSearchText) return 0
    const row = await connection.get<{ count: number }>(
      'SELECT count(*) AS count FROM evaluation WHERE key <= (SELECT max(evaluation) FROM search)',
    )
    return row?.count ?? 0
  },

  async step(transaction, rowCount) {
    if (transaction.sql.storesSearchText) return false
    const removedCount = await transaction.run(
      'DELETE FROM search WHERE rowid IN (SELECT rowid FROM search ORDER BY evaluation DESC, position DESC LIMIT ?)',
      rowCount,
    )
    return removedCount === rowCount
  },
}
