// Where a scenario stands in the view it was opened from, and the way to those before and behind it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AssayError, type Rows } from 'assay-client'
import { failureFilter, findFailure } from '../evaluation/failures.ts'
import { placeQuestion } from '../evaluation/questions.ts'
import type { Shown } from '../evaluation/shown.ts'
import { useTurn } from '../evaluation/turn.ts'
import { toast } from '../shell/toasts.tsx'
import { exactScenarioQuestion, rowQuestion } from './questions.ts'

type Step = 1 | -1

export interface Moves {
  place: Rows | undefined
  canMove(step: Step): boolean
  move(step: Step): Promise<void>
  moveToFailure(step: Step): Promise<void>
}

export function useMoves(shown: Shown, scenario: string, open: (id: string) => void): Moves {
  const { id, question, summary, on } = shown
  const queries = useQueryClient()
  const { data: place } = useQuery({
    ...placeQuestion(id, question, scenario),
    enabled: shown.evaluation !== undefined,
  })
  const nextOffset = place && offsetBeside(place, 1)
  // What comes next is here before somebody asks for it.
  const { data: beside } = useQuery({
    ...rowQuestion(id, question, nextOffset ?? 0),
    enabled: nextOffset !== undefined,
  })
  const next = beside?.rows[0]?.id
  useQuery({ ...exactScenarioQuestion(id, next ?? ''), enabled: next !== undefined })

  const beginTurn = useTurn(scenario)

  async function move(step: Step) {
    const isMyTurn = beginTurn()
    const offset = place && offsetBeside(place, step)
    if (offset === undefined) return
    const answer = await queries.fetchQuery(rowQuestion(id, question, offset))
    const next = answer.rows[0]?.id
    if (next === undefined || !isMyTurn()) return
    // The row that was asked for by its place is at that place.
    const found = { ...answer, before: offset, located: offset }
    queries.setQueryData(placeQuestion(id, question, next).queryKey, found)
    open(next)
  }

  async function moveToFailure(step: Step) {
    if (!summary) return
    const isMyTurn = beginTurn()
    const way = { from: scenario, isForward: step > 0 }
    const found = await findFailure(id, question, failureFilter(summary, on), way)
    if (!isMyTurn()) return
    if (found) open(found.id)
    else toast(`No failure ${step > 0 ? 'after' : 'before'} this row in this view.`)
  }

  return {
    place,
    canMove: (step) => place !== undefined && offsetBeside(place, step) !== undefined,
    move: (step) => move(step).catch(tell),
    moveToFailure: (step) => moveToFailure(step).catch(tell),
  }
}

function tell(error: unknown): void {
  toast(error instanceof AssayError ? error.detail : 'The server cannot be reached.')
}

/** The offset of the row before or behind a scenario, whether or not the view has that itself. */
function offsetBeside({ before = 0, located = null, total }: Rows, step: Step): number | undefined {
  const offset = step < 0 ? before - 1 : located === null ? before : located + 1
  return offset < 0 || offset >= total ? undefined : offset
}
