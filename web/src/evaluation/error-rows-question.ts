// Asks for the first rows that have an error of one group.
import { queryOptions } from '@tanstack/react-query'
import { assay } from '../api.ts'
import { queryOf, type RowQuestion } from './questions.ts'
import type { Filter } from './view.ts'

interface Grouped {
  group: string
  /** Null: the application failed. */
  evaluator: string | null
}

/** How many rows of a group are listed. */
const MOST = 50

export function groupFilter({ group, evaluator }: Grouped): Filter {
  return [evaluator === null ? 'error' : `error.${evaluator}`, `eq.${group}`]
}

export function errorRowsQuestion(id: string, question: RowQuestion, grouped: Grouped) {
  const [name, value] = groupFilter(grouped)
  const query = { ...queryOf(question), [name]: value }
  return queryOptions({
    queryKey: ['evaluation', id, 'rows', 'of an error', query],
    queryFn: ({ signal }) => assay.listEvaluationRows(id, { ...query, limit: MOST }, { signal }),
  })
}
