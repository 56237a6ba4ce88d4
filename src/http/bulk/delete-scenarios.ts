// Deletes the scenarios of an evaluation that match filters.

import type { Viewer } from '../../store/access/projects.ts'
import { ComparisonCache } from '../../store/compare/comparison-cache.ts'
import { getViewEvaluations, openView } from '../../store/compare/view-with-baseline.ts'
import { lockEvaluation } from '../../store/evaluations/evaluations.ts'
import type { ResourceInfo } from '../../store/resources/resource.ts'
import { deleteScenariosAt } from '../../store/scenarios/change.ts'
import type { Connection } from '../../store/store.ts'
import type { RowQuery } from '../request/filters.ts'
import type { BulkOperation } from './operation.ts'

export interface DeletionOptions {
  viewer: Viewer
  evaluation_id: string
  rowQuery: RowQuery
  /** Found before the transaction. */
  found?: MatchingScenarios | undefined
}

/** The positions of the scenarios in a version of the evaluation. */
export interface MatchingScenarios {
  version: string
  positions: Float64Array
}

export async function findMatching(
  connection: Connection,
  { viewer, evaluation_id, rowQuery }: Omit<DeletionOptions, 'found'>,
  cache: ComparisonCache,
): Promise<MatchingScenarios> {
  const evaluations = await getViewEvaluations(connection, viewer, evaluation_id, rowQuery.base)
  const { view } = await openView(connection, evaluations, rowQuery, cache)
  return { version: evaluations.version, positions: await view.positions() }
}

export const deleteScenarios: BulkOperation<DeletionOptions, ResourceInfo> = async (_body, options) => {
  const { viewer, evaluation_id, rowQuery, found } = options
  const getEvaluations = (connection: Connection) =>
    getViewEvaluations(connection, viewer, evaluation_id, rowQuery.base)
  return {
    lock: (transaction) => lockEvaluation(transaction, viewer, evaluation_id),
    async store(transaction, { key, count }) {
      const { version } = await getEvaluations(transaction)
      const { positions } =
        found && found.version === version
          ? found
          : await findMatching(transaction, options, new ComparisonCache())
      await deleteScenariosAt(transaction, { evaluation: key, positions }, count)
      const { evaluation } = await getEvaluations(transaction)
      const body = JSON.stringify({ deleted: positions.length })
      return { status: 200, body, version: evaluation.version }
    },
    close: async () => undefined,
  }
}
