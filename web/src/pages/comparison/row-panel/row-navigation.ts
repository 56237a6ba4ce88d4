// Position of the open row in the view, and navigation to the previous and next row or regression.
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ComparisonRows } from 'assay-client'
import { useState } from 'react'
import { exactScenarioQuery } from '../../../queries/scenarios.ts'
import { adjacentOffset, type Step, useRowStepQueue } from '../../../row-panel/row-steps.ts'
import { toast } from '../../../ui/toasts.tsx'
import { findRegression } from '../next-regression.ts'
import type { ComparisonState } from '../page-state.ts'
import { positionQuery, rowAtQuery } from '../queries.ts'
import { rowRefOf, scenarioIds } from '../row-data.ts'
import type { RowRef } from '../search-params.ts'

export interface RowNavigation {
  position: ComparisonRows | undefined
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
  const queries = useQueryClient()
  const { data: position, error } = useQuery({
    ...positionQuery(query, row),
    enabled: state.comparison !== undefined,
  })
  const [isMoving, setMoving] = useState(false)
  usePrefetchNext(state, isMoving ? position : undefined)

  async function move(from: RowRef, step: Step): Promise<RowRef | undefined> {
    const offset = adjacentOffset(await queries.fetchQuery(positionQuery(query, from)), step)
    if (offset === undefined) return undefined
    const response = await queries.fetchQuery(rowAtQuery(query, offset))
    const next = response.rows[0] && rowRefOf(response.rows[0])
    if (next === undefined) return undefined
    // The position is known: cache it, so that the panel does not request it again.
    const found = { ...response, before: offset, located: offset }
    queries.setQueryData(positionQuery(query, next).queryKey, found)
    return next
  }

  async function moveToRegression(from: RowRef, step: Step): Promise<RowRef | undefined> {
    const found = await findRegression(query, from, step)
    if (!found) toast(`No regression ${step > 0 ? 'after' : 'before'} this row in this view.`)
    return found
  }

  const runStep = useRowStepQueue(row, open)
  return {
    position,
    error,
    canMove: (step) => position !== undefined && adjacentOffset(position, step) !== undefined,
    move: (step) => {
      setMoving(true)
      return runStep((from) => move(from, step))
    },
    moveToRegression: (step) => runStep((from) => moveToRegression(from, step)),
  }
}

/** Prefetches the next row and its scenarios once the user starts to move between rows. */
function usePrefetchNext({ query }: ComparisonState, position: ComparisonRows | undefined): void {
  const offset = position && adjacentOffset(position, 1)
  const { data: nextRow } = useQuery({
    ...rowAtQuery(query, offset ?? 0),
    enabled: offset !== undefined,
  })
  const next = nextRow?.rows[0]
  const ids = next ? scenarioIds(next) : []
  useQueries({
    queries: query.evaluations.map((evaluation, index) => ({
      ...exactScenarioQuery(evaluation, ids[index] ?? ''),
      enabled: typeof ids[index] === 'string',
    })),
  })
}
