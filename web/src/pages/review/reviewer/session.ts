// The state of a reviewer's session: the open row, answers, skipped rows, undo, and which row comes next.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { NewAnswer, ReviewForm, ReviewRowAnswers } from 'assay-client'
import { useEffect, useRef, useState } from 'react'
import { isUnreachable } from '../../../api/client.ts'
import { answersOf, type FormAnswers, readFormAnswers } from '../form/form-answers.ts'
import { readNextRow, reviewRowQuery, reviewRowsQuery } from '../queries.ts'
import { useOutbox } from './outbox.ts'

interface NextRequest {
  /** The row that the reviewer leaves. */
  after: string | undefined
  /** Distinguishes requests. */
  count: number
}

export type Session = ReturnType<typeof useSession>

export function useSession(id: string, { questions, reviewer }: ReviewForm, stored: ReviewRowAnswers[]) {
  const queryClient = useQueryClient()
  const outbox = useOutbox(id, reviewer)
  const [openId, setOpenId] = useState<string>()
  const [request, setRequest] = useState<NextRequest | undefined>({ after: undefined, count: 0 })
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set())
  // The rows that undo opens, the last one first. Those of earlier sessions are in the order of their answers.
  const [history, setHistory] = useState(() => sortByTime(stored))
  const [drafts, setDrafts] = useState<Record<string, FormAnswers>>({})

  const unsaved = new Map(outbox.unsaved.map(({ scenario, answers }) => [scenario, answers]))
  const rows = stored.map((row) => ({ ...row, answers: unsaved.get(row.scenario_id) ?? row.answers }))
  const answersAbout = (row: string | undefined): readonly NewAnswer[] =>
    rows.find(({ scenario_id }) => scenario_id === row)?.answers ?? []
  const isAnswered = (row: string) => answersAbout(row).length >= questions.length

  function findLoaded(after: string | undefined): string | undefined {
    const start = rows.findIndex(({ scenario_id }) => scenario_id === after) + 1
    return [...rows.slice(start), ...rows.slice(0, start)].find(
      ({ scenario_id }) =>
        scenario_id !== after &&
        !isAnswered(scenario_id) &&
        queryClient.getQueryData(reviewRowQuery(id, scenario_id).queryKey) !== undefined,
    )?.scenario_id
  }

  function open(row: string | undefined) {
    setRequest(undefined)
    setOpenId(row)
  }

  const requestCount = useRef(0)
  function requestNext(after: string | undefined) {
    requestCount.current += 1
    setRequest({ after, count: requestCount.current })
  }

  const next = useQuery({
    queryKey: ['review', id, 'next', request?.count],
    queryFn: ({ signal }) => readNextRow(id, request?.after, signal),
    enabled: request !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  })
  const repeated = useRef<{ row: string; count: number }>(undefined)
  const onNext = () => {
    if (!request) return
    if (!next.data) {
      // Rows that are loaded already can be answered without the service.
      const loaded = isUnreachable(next.failureReason) ? findLoaded(request.after) : undefined
      if (loaded !== undefined) open(loaded)
      return
    }
    const { row, progress } = next.data
    const found = row?.scenario.id
    if (row && found !== undefined) {
      queryClient.setQueryData(reviewRowQuery(id, found).queryKey, row.scenario)
      // The service had not stored the answer yet when it chose the row.
      if (isAnswered(found) || history.includes(found)) {
        const isRepeating = repeated.current?.count === request.count
        if (isRepeating || outbox.unsaved.some(({ problem }) => problem === undefined)) return
        if (repeated.current?.row !== found) {
          repeated.current = { row: found, count: request.count }
          requestNext(request.after)
          return
        }
      }
    }
    repeated.current = undefined
    const isListed = found === undefined || rows.some(({ scenario_id }) => scenario_id === found)
    // Other reviewers have answered rows since.
    if (!isListed || (outbox.unsaved.length === 0 && progress.answered + progress.remaining !== rows.length))
      void queryClient.invalidateQueries({ queryKey: reviewRowsQuery(id).queryKey })
    open(found)
  }
  const latestOnNext = useRef(onNext)
  latestOnNext.current = onNext
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads the latest state
  useEffect(() => latestOnNext.current(), [next.data, next.failureReason, outbox.unsaved.length, stored])

  const isRequesting = request !== undefined
  const { data: scenario, failureReason } = useQuery({
    ...reviewRowQuery(id, openId ?? ''),
    enabled: openId !== undefined,
  })

  // The next rows in the order of the review, so that a lost connection does not stop the reviewer.
  const hasStarted = history.length > 0
  const upcoming = hasStarted ? upcomingIds(rows, openId, isAnswered).join('\n') : ''
  useEffect(() => {
    for (const row of upcoming.split('\n').filter(Boolean))
      void queryClient.prefetchQuery({ ...reviewRowQuery(id, row), retry: false })
  }, [queryClient, id, upcoming])

  const stay = openId !== undefined && !isRequesting
  return {
    rows,
    outbox,
    openId,
    scenario: openId === undefined ? undefined : scenario,
    failureReason: isRequesting ? next.failureReason : failureReason,
    isRequesting,
    answered: rows.filter(({ scenario_id }) => isAnswered(scenario_id)).length,
    /** The number of rows that others have open, when the reviewer has none left. */
    remaining: rows.filter(({ scenario_id }) => !isAnswered(scenario_id)).length,
    skipped: [...skipped].filter((row) => !isAnswered(row)),
    draft: drafts[openId ?? ''] ?? readFormAnswers(questions, answersAbout(openId)),
    setDraft: (draft: FormAnswers) => {
      if (openId !== undefined) setDrafts((all) => ({ ...all, [openId]: draft }))
    },
    save(draft: FormAnswers) {
      if (!stay) return
      outbox.add(openId, answersOf(questions, draft))
      setDrafts(({ [openId]: _, ...others }) => others)
      setHistory((rows) => [...rows.filter((row) => row !== openId), openId])
      requestNext(openId)
    },
    skip() {
      if (!stay) return
      if (!isAnswered(openId)) setSkipped((rows) => new Set([...rows, openId]))
      requestNext(openId)
    },
    canUndo: history.length > 0,
    undo() {
      const row = history.at(-1)
      if (row === undefined) return
      setHistory((rows) => rows.slice(0, -1))
      open(row)
    },
    /** Opens the next row in the order of the review, also if it is answered. */
    move(step: 1 | -1) {
      const index = rows.findIndex(({ scenario_id }) => scenario_id === openId)
      const row = openId === undefined ? rows.at(step === 1 ? 0 : -1) : rows[index + step]
      if (row) open(row.scenario_id)
    },
    openFirstSkipped: () => open([...skipped].find((row) => !isAnswered(row))),
    retry: () => requestNext(undefined),
  }
}

const UPCOMING = 2

function upcomingIds(
  rows: readonly Pick<ReviewRowAnswers, 'scenario_id'>[],
  openId: string | undefined,
  isAnswered: (row: string) => boolean,
): string[] {
  const index = rows.findIndex(({ scenario_id }) => scenario_id === openId)
  return rows
    .slice(index + 1)
    .map(({ scenario_id }) => scenario_id)
    .filter((row) => !isAnswered(row))
    .slice(0, UPCOMING)
}

function sortByTime(rows: readonly ReviewRowAnswers[]): string[] {
  const timeOf = ({ answers }: ReviewRowAnswers) => answers[0]?.answered_at ?? ''
  return rows
    .filter(({ answers }) => answers.length > 0)
    .toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1))
    .map(({ scenario_id }) => scenario_id)
}
