// Position of the open row in the view, and navigation to the previous and next row or regression.
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ComparisonRows } from 'assay-client'
import { useState } from 'react'
import { scenarioTextQuery } from '../../../queries/scenarios.ts'
import { adjacentOffset, type Step, useRowStepQueue } from '../../../row-panel/row-steps.ts'
import { toast } from '../../../ui/toasts.tsx'
import { findRegression } from '../next-regression.ts'
import type { ComparisonState } from '../page-state.ts'
import { positionQuery, rowAtQuery } from '../queries.ts'
import { rowRefOf, scenarioIds } from '../row-data.ts'
import type { RowRef } from '../search-params.ts'

export interface RowNavigation {
  /** The open row and its position in the view. */
  locatedRows: ComparisonRows | undefined
  error: unknown
  canMove(step: Step): boolean
  move(step: Step): Promise<void>
  moveToRegression(step: Step): Promise<void>
}

export function useRowNavigation(
  state: ComparisonState,
  row: RowRef,
  open: (row: RowRef) => void,
): RowNavigation {
  const { query } = state
  const queryClient = useQueryClient()
  const { data: locatedRows, error } = useQuery({
    ...positionQuery(query, row),
    enabled: state.comparison !== undefined,
  })
  const [isMoving, setIsMoving] = useState(false)
  usePrefetchNext(state, isMoving ? locatedRows : undefined)

  async function move(from: RowRef, step: Step): Promise<RowRef | undefined> {
    const offset = adjacentOffset(await queryClient.fetchQuery(positionQuery(query, from)), step)
    if (offset === undefined) return undefined
    const response = await queryClient.fetchQuery(rowAtQuery(query, offset))
    const nextRef = response.rows[0] && rowRefOf(response.rows[0])
    if (nextRef === undefined) return undefined
    // The position is known: cache it, so that the panel does not request it again.
    const nextRows = { ...response, before: offset, located: offset }
    queryClient.setQueryData(positionQuery(query, nextRef).queryKey, nextRows)
    return nextRef
  }

  async function moveToRegression(from: RowRef, step: Step): Promise<RowRef | undefined> {
    const regression = await findRegression(query, from, step)
    if (!regression) toast(`No regression ${step > 0 ? 'after' : 'before'} this row in this view.`)
    return regression
  }

  const runStep = useRowStepQueue(row, open)
  return {
    locatedRows,
    error,
    canMove: (step) => locatedRows !== undefined && adjacentOffset(locatedRows, step) !== undefined,
    move: (step) => {
      setIsMoving(true)
      return runStep((from) => move(from, step))
    },
    moveToRegression: (step) => runStep((from) => moveToRegression(from, step)),
  }
}

/** Prefetches the next row and its scenarios once the user starts to move between rows. */
function usePrefetchNext({ query }: ComparisonState, locatedRows: ComparisonRows | undefined): void {
  const offset = locatedRows && adjacentOffset(locatedRows, 1)
  const { data: nextRow } = useQuery({
    ...rowAtQuery(query, offset ?? 0),
    enabled: offset !== undefined,
  })
  const joinedRow = nextRow?.rows[0]
  const ids = joinedRow ? scenarioIds(joinedRow) : []
  useQueries({
    queries: query.evaluations.map((evaluation, index) => ({
      ...scenarioTextQuery(evaluation, ids[index] ?? ''),
      enabled: typeof ids[index] === 'string',
    })),
  })
}
