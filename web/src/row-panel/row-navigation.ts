// The position of the open row in its view, and navigation to the previous and next row or match.
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { AssayError } from 'assay-client'
import { useEffect, useRef, useState } from 'react'
import {
  adjacentOffset,
  findAdjacentRow,
  type RowSource,
  type RowWindow,
  type Step,
} from '../queries/row-window.ts'
import { scenarioTextQuery } from '../queries/scenarios.ts'
import { toast } from '../ui/messages/toasts.tsx'

export interface RowNavigation<Data> {
  /** The open row and its position. */
  position: Data | undefined
  error: unknown
  /** Why the last attempt to find the position failed; it is repeated while the server is unavailable. */
  failureReason: unknown
  canMove(step: Step): boolean
  move(step: Step): Promise<void>
  moveToMatch(step: Step): Promise<void>
}

interface RowNavigationOptions<Row, Ref, Data extends RowWindow<Row>> {
  source: RowSource<Row, Ref, Data>
  isReady: boolean
  row: Ref
  /** Opens another row. */
  open: (row: Ref) => void
  /** The evaluations and ids of the scenarios of a row. */
  scenariosOf: (row: Row) => [evaluation: string, scenario: string][]
  /** The name of a match: "failure". */
  matchName: string
  /** The matches among the rows; undefined if the view excludes them. */
  loadMatches: () => Promise<RowSource<Row, Ref> | undefined>
}

export function useRowNavigation<Row, Ref, Data extends RowWindow<Row>>(
  options: RowNavigationOptions<Row, Ref, Data>,
): RowNavigation<Data> {
  const { source, isReady, row, open, scenariosOf, matchName, loadMatches } = options
  const queryClient = useQueryClient()
  const {
    data: position,
    error,
    failureReason,
  } = useQuery({ ...source.positionQuery(row), enabled: isReady })
  // Once the user moves between rows, prefetch the next row and its scenarios.
  const [hasMoved, setHasMoved] = useState(false)
  const nextOffset = hasMoved && position ? adjacentOffset(position, 1) : undefined
  const next = useQuery({ ...source.rowQuery(nextOffset ?? 0), enabled: nextOffset !== undefined })
  const nextRow = nextOffset === undefined ? undefined : next.data?.rows[0]
  const nextScenarios = nextRow === undefined ? [] : scenariosOf(nextRow)
  useQueries({ queries: nextScenarios.map(([evaluation, id]) => scenarioTextQuery(evaluation, id)) })

  const enqueue = useRowStepQueue(row, open)
  return {
    position,
    error,
    failureReason,
    canMove: (step) => position !== undefined && adjacentOffset(position, step) !== undefined,
    move: (step) => {
      setHasMoved(true)
      return enqueue((from) => findAdjacentRow(queryClient, source, from, step))
    },
    moveToMatch: (step) =>
      enqueue(async (from) => {
        const matches = await loadMatches()
        const match = matches && (await findAdjacentRow(queryClient, matches, from, step))
        if (match === undefined)
          toast(`No ${matchName} ${step > 0 ? 'after' : 'before'} this row in this view.`)
        return match
      }),
  }
}

/** Limits the queue, so that moving stops soon after a held key is released. */
const MAX_QUEUED_STEPS = 10

/** Finds the row to move to; undefined if there is none. */
type FindRow<Row> = (from: Row) => Promise<Row | undefined>

/**
 * Queues moves, because keys can be pressed faster than responses arrive. Each move starts at the row that the previous one
 * reached.
 */
function useRowStepQueue<Row>(row: Row, open: (row: Row) => void): (find: FindRow<Row>) => Promise<void> {
  const currentRow = useRef(row)
  const queuedCount = useRef(0)
  const lastStep = useRef(Promise.resolve())
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  if (queuedCount.current === 0) currentRow.current = row
  async function step(find: FindRow<Row>): Promise<void> {
    try {
      // Do not open another row after the panel was closed.
      const nextRow = isMounted.current ? await find(currentRow.current) : undefined
      if (nextRow === undefined || !isMounted.current) return
      currentRow.current = nextRow
      open(nextRow)
    } catch (error) {
      toast(error instanceof AssayError ? error.detail : 'The server cannot be reached.')
    } finally {
      queuedCount.current -= 1
    }
  }
  return (find) => {
    if (queuedCount.current >= MAX_QUEUED_STEPS) return lastStep.current
    queuedCount.current += 1
    lastStep.current = lastStep.current.then(() => step(find))
    return lastStep.current
  }
}
