// Where a scenario stands in the view it was opened from, and the way to those before and behind it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AssayError, type Rows } from 'assay-client'
import { useEffect, useRef } from 'react'
import { failureFilter, findFailure } from '../evaluation/failures.ts'
import { placeQuestion } from '../evaluation/questions.ts'
import type { Shown } from '../evaluation/shown.ts'
import { toast } from '../shell/toasts.tsx'
import { exactScenarioQuestion, rowQuestion } from './questions.ts'

type Step = 1 | -1

/** So many presses wait for those before them: a key that is held down stops soon after it is let go. */
const MOST_WAITING = 10

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
    if (!summary) return undefined
    const way = { from, isForward: step > 0 }
    const found = await findFailure(id, question, failureFilter(summary, on), way)
    if (!found) toast(`No failure ${step > 0 ? 'after' : 'before'} this row in this view.`)
    return found?.id
  }

  const inTurn = useTurns(scenario, open)

  return {
    place,
    canMove: (step) => place !== undefined && offsetBeside(place, step) !== undefined,
    move: (step) => inTurn((from) => move(from, step)),
    moveToFailure: (step) => inTurn((from) => moveToFailure(from, step)),
  }
}

/** Presses that come faster than answers act one after another, each from where the one before it led. */
function useTurns(scenario: string, open: (id: string) => void) {
  const at = useRef(scenario)
  const waiting = useRef(0)
  const last = useRef(Promise.resolve())
  const isThere = useRef(true)
  useEffect(() => {
    isThere.current = true
    return () => {
      isThere.current = false
    }
  }, [])
  if (waiting.current === 0) at.current = scenario
  async function take(find: (from: string) => Promise<string | undefined>): Promise<void> {
    try {
      // Whoever has closed it meanwhile wants no other.
      const next = isThere.current ? await find(at.current) : undefined
      if (next === undefined || !isThere.current) return
      at.current = next
      open(next)
    } catch (error) {
      tell(error)
    } finally {
      waiting.current -= 1
    }
  }
  return (find: (from: string) => Promise<string | undefined>): Promise<void> => {
    if (waiting.current >= MOST_WAITING) return last.current
    waiting.current += 1
    last.current = last.current.then(() => take(find))
    return last.current
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
