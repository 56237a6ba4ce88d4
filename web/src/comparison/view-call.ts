// The API call that answers the rows of a view, or one of them.
import type { Call } from '../format/snippets.ts'
import { type Search, stringifySearch } from '../search.ts'
import { queryOf, type RowQuestion } from './questions.ts'
import type { OpenRow } from './view.ts'

export function viewCall(question: RowQuestion, row?: OpenRow): Call {
  const query = queryOf(question)
  const only = row && { locate: row.id, side: row.side }
  return {
    path: `/api/comparisons/rows${stringifySearch({ ...(query as Search), ...only, limit: row && '1' })}`,
    client: `listComparisonRows(${JSON.stringify({ ...query, ...only, limit: row && 1 }, undefined, 2)})`,
  }
}
