// The API call that answers the rows of a view.
import type { Call } from '../format/snippets.ts'
import { stringifySearch } from '../search.ts'
import { queryOf, type RowQuestion } from './questions.ts'

export function viewCall(question: RowQuestion): Call {
  const query = queryOf(question)
  return {
    path: `/api/comparisons/rows${stringifySearch(query)}`,
    client: `listComparisonRows(${JSON.stringify(query, undefined, 2)})`,
  }
}
