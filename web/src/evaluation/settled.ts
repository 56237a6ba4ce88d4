// The question that the table shows rows of: the one before, until the first rows of the next are there.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useStable } from '../grid/stable.ts'
import type { Search } from '../search.ts'
import { type Names, namesIn } from './columns.ts'
import { type RowQuestion, windowQuestion } from './questions.ts'
import type { Shown } from './shown.ts'

const LOOK_AGAIN_MS = 2000

export interface Settled {
  question: RowQuestion
  /** How many rows there were in its first answer. */
  total: number
  /** The columns of its first rows. */
  names: Names
  /** The address it came from. */
  search: Search
}

export function useSettled({ id, question, evaluation }: Shown) {
  const asked = useStable(question)
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [settled, setSettled] = useState<Settled>()
  // By what it says: one that was given up leads back to the rows as they stand.
  const isPending = JSON.stringify(settled?.question) !== JSON.stringify(asked)
  // An evaluation without any row goes on by itself when the first ones arrive.
  const isUnfilled = evaluation?.scenario_count === 0
  const isEmpty = isUnfilled && settled?.total === 0
  const hasBegun = isUnfilled && settled !== undefined && settled.total > 0
  useEffect(() => {
    if (hasBegun) void queries.invalidateQueries({ queryKey: ['evaluation', id] })
  }, [queries, id, hasBegun])
  // Which evaluation it is compared with is known from the evaluation.
  const first = useQuery({
    ...windowQuestion(id, asked, 0),
    enabled: evaluation !== undefined && (isPending || isEmpty),
    refetchInterval: isEmpty && LOOK_AGAIN_MS,
  })
  if (first.data && (isPending || (isEmpty && first.data.total > 0))) {
    const { total, rows } = first.data
    setSettled({ question: asked, total, names: namesIn(rows), search })
  }
  return {
    settled,
    isPending: isPending && first.error === null,
    error: isPending ? first.error : null,
    /** Gives up, and returns to the address of the rows that are shown. */
    cancel: settled && (() => void navigate({ to: '.', search: settled.search, replace: true })),
  }
}
