// The position of a scenario among the filtered rows, and navigation to other rows and failures.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { failureFilter, findNextFailure } from '../../evaluation-state/next-failure.ts'
import { type EvaluationState, selectEvaluator } from '../../evaluation-state/page-state.ts'
import { positionQuery, rowQuery, summaryQuery } from '../../queries/evaluations.ts'
import { scenarioTextQuery } from '../../queries/scenarios.ts'
import { adjacentOffset, type Step, useRowStepQueue } from '../../row-panel/row-steps.ts'
import { toast } from '../../ui/toasts.tsx'

export type RowNavigation = ReturnType<typeof useRowNavigation>

export function useRowNavigation(pageState: EvaluationState, scenario: string, open: (id: string) => void) {
  const { id, query, activeEvaluator } = pageState
  const queryClient = useQueryClient()
  const { data: position } = useQuery({
    ...positionQuery(id, query, scenario),
    enabled: pageState.evaluation !== undefined,
  })
  // After the first move, prefetch the next row.
  const [hasMoved, setHasMoved] = useState(false)
  const nextOffset = hasMoved && position ? adjacentOffset(position, 1) : undefined
  const { data: nextRow } = useQuery({
    ...rowQuery(id, query, nextOffset ?? 0),
    enabled: nextOffset !== undefined,
  })
  const nextId = nextRow?.rows[0]?.id
  useQuery({ ...scenarioTextQuery(id, nextId ?? ''), enabled: nextId !== undefined })

  async function move(from: string, step: Step): Promise<string | undefined> {
    const offset = adjacentOffset(await queryClient.fetchQuery(positionQuery(id, query, from)), step)
    if (offset === undefined) return undefined
    const response = await queryClient.fetchQuery(rowQuery(id, query, offset))
    const nextId = response.rows[0]?.id
    if (nextId === undefined) return undefined
    // The position of the row is known: cache it.
    const nextPosition = { ...response, before: offset, located: offset }
    queryClient.setQueryData(positionQuery(id, query, nextId).queryKey, nextPosition)
    return nextId
  }

  async function moveToFailure(from: string, step: Step): Promise<string | undefined> {
    const summary = await queryClient.fetchQuery(
      summaryQuery(id, { filters: [], base: pageState.baselineId }),
    )
    const filter = failureFilter(summary, selectEvaluator(activeEvaluator, summary))
    const failure = await findNextFailure(id, query, filter, { from, isForward: step > 0 })
    if (!failure) toast(`No failure ${step > 0 ? 'after' : 'before'} this row in this view.`)
    return failure?.id
  }

  const enqueue = useRowStepQueue(scenario, open)

  return {
    position,
    canMove: (step: Step) => position !== undefined && adjacentOffset(position, step) !== undefined,
    move: (step: Step) => {
      setHasMoved(true)
      return enqueue((from) => move(from, step))
    },
    moveToFailure: (step: Step) => enqueue((from) => moveToFailure(from, step)),
  }
}
