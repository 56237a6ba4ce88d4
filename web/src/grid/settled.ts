// The question that the table shows rows of: the one before, until the first rows of the next are there.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Search } from '../search.ts'
import { useStable } from './stable.ts'
import type { WindowQuestion } from './windows.ts'

const LOOK_AGAIN_MS = 2000

export interface Settled<Question, Answer> {
  question: Question
  /** The first window, as it was first answered. */
  first: Answer
  /** The address it came from. */
  search: Search
}

interface Asked<Question, Answer> {
  question: Question
  ask: (question: Question, index: number) => WindowQuestion<Answer>
  isReady: boolean
  /** There is no row to be had as yet: it is asked for until there is one. */
  isUnfilled?: boolean
}

export function useSettled<Question extends object, Answer extends { total: number }>({
  question,
  ask,
  isReady,
  isUnfilled = false,
}: Asked<Question, Answer>) {
  const asked = useStable(question)
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const [settled, setSettled] = useState<Settled<Question, Answer>>()
  // By what it says: one that was given up leads back to the rows as they stand.
  const isPending = JSON.stringify(settled?.question) !== JSON.stringify(asked)
  const isEmpty = isUnfilled && settled?.first.total === 0
  const first = useQuery({
    ...ask(asked, 0),
    enabled: isReady && (isPending || isEmpty),
    refetchInterval: isEmpty && LOOK_AGAIN_MS,
  })
  if (first.data && (isPending || (isEmpty && first.data.total > 0))) {
    setSettled({ question: asked, first: first.data, search })
  }
  return {
    settled,
    isPending: isPending && first.error === null,
    error: isPending ? first.error : null,
    /** Gives up, and returns to the address of the rows that are shown. */
    cancel: settled && (() => void navigate({ to: '.', search: settled.search, replace: true })),
  }
}
