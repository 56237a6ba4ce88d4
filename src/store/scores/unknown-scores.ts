// Stores the scores of evaluations that were written before scores were stored, newest first.
import type { BackgroundTask } from '../background/task.ts'
import type { Connection } from '../dialect/dialect.ts'
import { recountScores } from './recount.ts'
import type { ScoreStatistics } from './score-statistics.ts'
import { findUnknown, hasUnknownScores, storeStatistics } from './stored-scores.ts'

interface Version {
  project: number
  id: string
  version: string
}

interface Counted {
  evaluation: number
  /** Undefined if the evaluation does not exist any more. */
  version: Version | undefined
  statistics: ScoreStatistics
}

/** Rows are read before the transaction, so that other writers do not wait. */
export const STORE_UNKNOWN_SCORES: BackgroundTask<Counted | undefined> = {
  name: 'store scores',

  hasWork: hasUnknownScores,

  async countEvaluations(connection) {
    const row = await connection.get<{ count: number }>(
      'SELECT count(*) AS count FROM evaluation_scores WHERE is_unknown = 1',
    )
    return row?.count ?? 0
  },

  prepare(reader) {
    return reader.snapshot('query', async (snapshot) => {
      const unknown = await findUnknown(snapshot)
      if (!unknown) return undefined
      const { evaluation } = unknown
      const version = await readVersion(snapshot, evaluation)
      return { evaluation, version, statistics: await recountScores(snapshot, evaluation) }
    })
  },

  async step(transaction, _rowCount, counted) {
    if (!counted) return false
    const { evaluation, version, statistics } = counted
    if (version) await transaction.lock('evaluation', version.project, version.id)
    const current = await readVersion(transaction, evaluation)
    if (!current) await transaction.run('DELETE FROM evaluation_scores WHERE evaluation = ?', evaluation)
    // If the evaluation has changed in between, it is counted again. A deleted one has no scores.
    else if (current.version === version?.version && current.project === version.project)
      await storeStatistics(transaction, evaluation, statistics)
    return true
  },
}

function readVersion(connection: Connection, evaluation: number): Promise<Version | undefined> {
  return connection.get<Version>('SELECT project, id, version FROM evaluation WHERE key = ?', evaluation)
}
