// Where a scenario stands in the view it was opened from, and the way to those before and behind it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Rows } from 'assay-client'
import { useState } from 'react'
import { failureFilter, findFailure } from '../evaluation/failures.ts'
import { placeQuestion, summaryQuestion } from '../evaluation/questions.ts'
import { chosenEvaluator, type Shown } from '../evaluation/shown.ts'
import { offsetBeside, type Step, useTurns } from '../parts/turns.ts'
import { toast } from '../shell/toasts.tsx'
import { exactScenarioQuestion, rowQuestion } from './questions.ts'

export interface Moves {
  place: Rows | undefined
  canMove(step: Step): boolean
  move(step: Step): Promise<void>
  moveToFailure(step: Step): Promise<void>
}

export function useMoves(shown: Shown, scenario: string, open: (id: string) => void): Moves {
  const { id, question, on } = shown
  const queries = useQueryClient()
  const { data: place } = useQuery({
    ...placeQuestion(id, question, scenario),
    enabled: shown.evaluation !== undefined,
  })
  // Whoever goes on to one other goes on to more: what comes next is here before it is asked for.
  const [isMoving, setMoving] = useState(false)
  const nextOffset = isMoving && place ? offsetBeside(place, 1) : undefined
  const { data: beside } = useQuery({
    ...rowQuestion(id, question, nextOffset ?? 0),
    enabled: nextOffset !== undefined,
  })
  const next = beside?.rows[0]?.id
  useQuery({ ...exactScenarioQuestion(id, next ?? ''), enabled: next !== undefined })

  async function move(from: string, step: Step): Promise<string | undefined> {
    const offset = offsetBeside(await queries.fetchQuery(placeQuestion(id, question, from)), step)
    if (offset === undefined) return undefined
    const answer = await queries.fetchQuery(rowQuestion(id, question, offset))
    const next = answer.rows[0]?.id
    if (next === undefined) return undefined
    // The row that was asked for by its place is at that place.
    const found = { ...answer, before: offset, located: offset }
    queries.setQueryData(placeQuestion(id, question, next).queryKey, found)
    return next
  }

  async function moveToFailure(from: string, step: Step): Promise<string | undefined> {
    const summary = await queries.fetchQuery(summaryQuestion(id, { filters: [], base: shown.base }))
    const way = { from, isForward: step > 0 }
    const found = await findFailure(id, question, failureFilter(summary, chosenEvaluator(on, summary)), way)
    if (!found) toast(`No failure ${step > 0 ? 'after' : 'before'} this row in this view.`)
    return found?.id
  }

  const inTurn = useTurns(scenario, open)

  return {
    place,
    canMove: (step) => place !== undefined && offsetBeside(place, step) !== undefined,
    move: (step) => {
      setMoving(true)
      return inTurn((from) => move(from, step))
    },
    moveToFailure: (step) => inTurn((from) => moveToFailure(from, step)),
  }
}
