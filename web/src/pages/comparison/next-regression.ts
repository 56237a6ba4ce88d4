// Finds the next or previous regression from a row. The server searches all rows of the view.
import { queryClient } from '../../api/client.ts'
import { adjacentOffset, type Step } from '../../row-panel/row-steps.ts'
import { positionQuery, type RowQuery, rowAtQuery } from './queries.ts'
import { type JoinedRow, rowRefOf } from './row-data.ts'
import type { RowRef } from './search-params.ts'

/** The match that the table's n and N shortcuts go to. */
export function regressionsIn(query: RowQuery) {
  return {
    noun: 'regression',
    isMatch: ({ candidates }: JoinedRow) => candidates[0]?.class === 'regressed',
    find: async (from: JoinedRow, isForward: boolean): Promise<number | undefined> => {
      const ref = rowRefOf(from)
      const regression = ref && (await findRegression(query, ref, isForward ? 1 : -1))
      const position = regression && (await queryClient.fetchQuery(positionQuery(query, regression)))
      return position?.located ?? undefined
    },
  }
}

/** Undefined if there is no further regression, or if the view shows another class. */
export async function findRegression(query: RowQuery, from: RowRef, step: Step): Promise<RowRef | undefined> {
  const { show, order } = query
  if (show !== 'regressed' && show !== 'all') return undefined
  // Regressions have their own default order. When the view shows all rows, use the order of the view instead.
  const regressions = {
    ...query,
    show: 'regressed' as const,
    order: show === 'all' ? (order ?? 'position') : order,
  }
  const offset = adjacentOffset(await queryClient.fetchQuery(positionQuery(regressions, from)), step)
  if (offset === undefined) return undefined
  const { rows } = await queryClient.fetchQuery(rowAtQuery(regressions, offset))
  return rows[0] && rowRefOf(rows[0])
}
