// The question that the table shows rows of: the one before, until the first rows of the next are there.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Search } from '../search.ts'
import { type Names, namesIn } from './columns.ts'
import { type RowQuestion, windowQuestion } from './questions.ts'
import type { Shown } from './shown.ts'
import { useStable } from './stable.ts'

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
  const [settled, setSettled] = useState<Settled>()
  const isPending = settled?.question !== asked
  // Which evaluation it is compared with is known from the evaluation.
  const first = useQuery({
    ...windowQuestion(id, asked, 0),
    enabled: isPending && evaluation !== undefined,
  })
  if (isPending && first.data) {
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
