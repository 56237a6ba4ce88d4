// What is asked of the API about one evaluation. Every question is named by what it asks, so that equal ones are asked once.
import { queryOptions } from '@tanstack/react-query'
import type { Rows } from 'assay-client'
import { assay } from '../api.ts'
import { WINDOW, type WindowQuestion } from '../grid/windows.ts'
import type { Filter } from './view.ts'

/** What picks and orders rows: the filters, the order, the evaluation to compare with. */
export interface RowQuestion {
  filters: readonly Filter[]
  order?: string | undefined
  base?: string | undefined
}

export function queryOf({ filters, order, base }: RowQuestion): Record<string, string | undefined> {
  return { ...Object.fromEntries(filters), order, base }
}

export function evaluationQuestion(id: string) {
  return queryOptions({
    queryKey: ['evaluation', id],
    queryFn: ({ signal }) => assay.getEvaluation(id, { signal }),
  })
}

export function summaryQuestion(id: string, question: Omit<RowQuestion, 'order'>) {
  return queryOptions({
    queryKey: ['evaluation', id, 'summary', question],
    queryFn: ({ signal }) => assay.getEvaluationSummary(id, queryOf(question), { signal }),
    // The figures before a filter was changed stay until those after it are there; those of another evaluation do not.
    placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
  })
}

export function windowQuestion(id: string, question: RowQuestion, index: number): WindowQuestion<Rows> {
  return {
    queryKey: ['evaluation', id, 'rows', question, index],
    queryFn: ({ signal }) =>
      assay.listEvaluationRows(
        id,
        { ...queryOf(question), offset: index * WINDOW, limit: WINDOW },
        { signal },
      ),
  }
}

/** How many rows there are. */
export function totalQuestion(id: string, question: RowQuestion): WindowQuestion<Rows> {
  return {
    queryKey: ['evaluation', id, 'total', question],
    queryFn: ({ signal }) =>
      assay.listEvaluationRows(id, { ...queryOf(question), limit: 1, preview: 1 }, { signal }),
  }
}

/** Where a scenario stands in the view: `located` is null where the filters leave it out. */
export function placeQuestion(id: string, question: RowQuestion, scenario: string): WindowQuestion<Rows> {
  return {
    queryKey: ['evaluation', id, 'place', question, scenario],
    queryFn: ({ signal }) =>
      assay.listEvaluationRows(
        id,
        { ...queryOf(question), locate: scenario, limit: 1, preview: 1 },
        { signal },
      ),
  }
}
