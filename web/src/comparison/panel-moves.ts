// Where a row stands in the view it was opened from, and the way to those before and behind it.
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ComparisonRows } from 'assay-client'
import { useState } from 'react'
import { offsetBeside, type Step, useTurns } from '../parts/turns.ts'
import { exactScenarioQuestion } from '../scenario/questions.ts'
import { toast } from '../shell/toasts.tsx'
import { findRegression } from './next-regression.ts'
import { nameOfRow, scenarioIds } from './opened-row.ts'
import { placeQuestion, rowQuestion } from './questions.ts'
import type { Shown } from './shown.ts'
import type { OpenRow } from './view.ts'

export interface PanelMoves {
  place: ComparisonRows | undefined
  error: unknown
  canMove(step: Step): boolean
  move(step: Step): Promise<void>
  moveToRegression(step: Step): Promise<void>
}

export function usePanelMoves(shown: Shown, row: OpenRow, open: (row: OpenRow) => void): PanelMoves {
  const { question } = shown
  const queries = useQueryClient()
  const { data: place, error } = useQuery({
    ...placeQuestion(question, row),
    enabled: shown.comparison !== undefined,
  })
  const [isMoving, setMoving] = useState(false)
  useReadAhead(shown, isMoving ? place : undefined)

  async function move(from: OpenRow, step: Step): Promise<OpenRow | undefined> {
    const offset = offsetBeside(await queries.fetchQuery(placeQuestion(question, from)), step)
    if (offset === undefined) return undefined
    const answer = await queries.fetchQuery(rowQuestion(question, offset))
    const next = answer.rows[0] && nameOfRow(answer.rows[0])
    if (next === undefined) return undefined
    // The row that was asked for by its place is at that place.
    const found = { ...answer, before: offset, located: offset }
    queries.setQueryData(placeQuestion(question, next).queryKey, found)
    return next
  }

  async function moveToRegression(from: OpenRow, step: Step): Promise<OpenRow | undefined> {
    const found = await findRegression(question, from, step)
    if (!found) toast(`No regression ${step > 0 ? 'after' : 'before'} this row in this view.`)
    return found
  }

  const inTurn = useTurns(row, open)
  return {
    place,
    error,
    canMove: (step) => place !== undefined && offsetBeside(place, step) !== undefined,
    move: (step) => {
      setMoving(true)
      return inTurn((from) => move(from, step))
    },
    moveToRegression: (step) => inTurn((from) => moveToRegression(from, step)),
  }
}

/** Whoever goes on to one other goes on to more: what comes next is here before it is asked for. */
function useReadAhead({ question }: Shown, place: ComparisonRows | undefined): void {
  const offset = place && offsetBeside(place, 1)
  const { data: beside } = useQuery({
    ...rowQuestion(question, offset ?? 0),
    enabled: offset !== undefined,
  })
  const next = beside?.rows[0]
  const ids = next ? scenarioIds(next) : []
  useQueries({
    queries: question.evaluations.map((evaluation, index) => ({
      ...exactScenarioQuestion(evaluation, ids[index] ?? ''),
      enabled: typeof ids[index] === 'string',
    })),
  })
}
