// What is asked of the API about a comparison. Every question is named by what it asks, so that equal ones are asked once.
import { queryOptions } from '@tanstack/react-query'
import type { ComparisonRows, ListComparisonRowsQuery } from 'assay-client'
import { assay } from '../api.ts'
import type { Filter } from '../evaluation/view.ts'
import { WINDOW, type WindowQuestion } from '../grid/windows.ts'
import type { Search } from '../search.ts'
import type { OpenRow, ShownClass } from './view.ts'

/** Which evaluations, the base first, and what their rows are paired by. */
export interface Compared {
  evaluations: readonly string[]
  by: string
}

/** What picks and orders rows. */
export interface RowQuestion extends Compared {
  show: ShownClass
  on: string | undefined
  filters: readonly Filter[]
  order: string | undefined
}

export function queryOf({
  evaluations,
  by,
  show,
  on,
  filters,
  order,
}: RowQuestion): ListComparisonRowsQuery & Search {
  return { evaluation: [...evaluations], by, show, on, ...Object.fromEntries(filters), order }
}

export function comparisonQuestion({ evaluations, by }: Compared) {
  return queryOptions({
    queryKey: ['comparison', evaluations, by],
    queryFn: ({ signal }) => assay.compareEvaluations({ evaluation: [...evaluations], by }, { signal }),
  })
}

export function windowQuestion(question: RowQuestion, index: number): WindowQuestion<ComparisonRows> {
  return {
    queryKey: ['comparison', question.evaluations, 'rows', question, index],
    queryFn: ({ signal }) =>
      assay.listComparisonRows({ ...queryOf(question), offset: index * WINDOW, limit: WINDOW }, { signal }),
  }
}

/** How many rows there are. */
export function totalQuestion(question: RowQuestion): WindowQuestion<ComparisonRows> {
  return {
    queryKey: ['comparison', question.evaluations, 'total', question],
    queryFn: ({ signal }) =>
      assay.listComparisonRows({ ...queryOf(question), limit: 1, preview: 1 }, { signal }),
  }
}

/** Where a row stands in the view, and the row itself: `located` is null where the view leaves it out. */
export function placeQuestion(question: RowQuestion, { id, side }: OpenRow): WindowQuestion<ComparisonRows> {
  return {
    queryKey: ['comparison', question.evaluations, 'place', question, id, side],
    queryFn: ({ signal }) =>
      assay.listComparisonRows({ ...queryOf(question), locate: id, side, limit: 1, preview: 1 }, { signal }),
  }
}

/** The row at one place of the view. */
export function rowQuestion(question: RowQuestion, offset: number) {
  return queryOptions({
    queryKey: ['comparison', question.evaluations, 'row', question, offset],
    queryFn: ({ signal }) =>
      assay.listComparisonRows({ ...queryOf(question), offset, limit: 1, preview: 1 }, { signal }),
  })
}
