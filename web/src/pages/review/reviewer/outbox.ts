// Answers that the service has not stored yet. They stay in the tab until it has, also while it cannot be reached.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AssayError, type NewAnswer, type ReviewRowAnswers } from 'assay-client'
import { useEffect, useState } from 'react'
import { assay, isUnreachable } from '../../../api/client.ts'
import { BASE_PATH } from '../../../state/base-path.ts'
import { createStore } from '../../../state/store.ts'
import { reviewRowsQuery } from '../queries.ts'

export interface UnsavedAnswers {
  review: string
  /** Another link that is opened in this tab must not send them. */
  reviewer: string
  scenario: string
  answers: NewAnswer[]
  idempotencyKey: string
  /** Why the service rejected them. */
  problem?: string
}

/** Only for this tab, and also after a reload. */
const STORAGE_KEY = `assay.unsaved-answers${BASE_PATH}`
const store = createStore<UnsavedAnswers[]>(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]'))

function change(edit: (all: UnsavedAnswers[]) => UnsavedAnswers[]): void {
  store.set(edit(store.get()))
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(store.get()))
}

export interface Outbox {
  /** In the order in which they are sent. */
  unsaved: UnsavedAnswers[]
  /** Whether the service cannot be reached. */
  isFailing: boolean
  /** When the service stored the last answers. */
  savedAt: string | undefined
  add: (scenario: string, answers: NewAnswer[]) => void
  discard: (unsaved: UnsavedAnswers) => void
}

export function useOutbox(review: string, reviewer: string): Outbox {
  const queryClient = useQueryClient()
  const [savedAt, setSavedAt] = useState<string>()
  const unsaved = store.use().filter((each) => each.review === review && each.reviewer === reviewer)
  const first = unsaved.find(({ problem }) => problem === undefined)
  // A query, because queries are repeated as soon as the service responds again, and the banner says that it does not.
  const { data, error, failureReason } = useQuery({
    queryKey: ['review', review, 'send', first?.idempotencyKey],
    queryFn: async ({ signal }) => {
      const { scenario, answers, idempotencyKey } = first as UnsavedAnswers
      return await assay.putReviewAnswers(review, scenario, { answers }, { idempotencyKey, signal })
    },
    enabled: first !== undefined,
    // The second case: the service is still storing an earlier attempt.
    retry: (_failures, cause) =>
      isUnreachable(cause) || (cause instanceof AssayError && cause.retryAfter !== undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useEffect(() => {
    if (!first || (!data && !error)) return
    if (!data) {
      change((all) =>
        all.map((each) =>
          each.idempotencyKey === first.idempotencyKey ? { ...each, problem: String(error?.message) } : each,
        ),
      )
      return
    }
    const { queryKey } = reviewRowsQuery(review)
    // A response that was sent before would hide the answers again.
    void queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, (rows: ReviewRowAnswers[] | undefined) =>
      rows?.map((row) =>
        row.scenario_id === data.id ? { ...row, is_open: false, answers: data.answers } : row,
      ),
    )
    setSavedAt(new Date().toISOString())
    change((all) => all.filter(({ idempotencyKey }) => idempotencyKey !== first.idempotencyKey))
  }, [first, data, error, queryClient, review])
  const hasUnsaved = unsaved.length > 0
  useEffect(() => {
    if (!hasUnsaved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [hasUnsaved])
  return {
    unsaved,
    isFailing: first !== undefined && failureReason !== null,
    savedAt,
    add(scenario, answers) {
      const idempotencyKey = crypto.getRandomValues(new Uint32Array(4)).join('-')
      // Later answers about a row replace those that were rejected.
      const isReplaced = (each: UnsavedAnswers) =>
        each.problem !== undefined && each.scenario === scenario && each.review === review
      change((all) => [
        ...all.filter((each) => !isReplaced(each)),
        { review, reviewer, scenario, answers, idempotencyKey },
      ])
    },
    discard: ({ idempotencyKey }) =>
      change((all) => all.filter((each) => each.idempotencyKey !== idempotencyKey)),
  }
}
