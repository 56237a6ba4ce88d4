// The API call that answers exactly the rows of a view, whole.
import type { Call } from '../format/snippets.ts'
import { stringifySearch } from '../search.ts'
import type { RowQuestion } from './questions.ts'

/** The base is part of it only where something is compared. */
export function scenariosQuery({ filters, order, base }: RowQuestion): Record<string, string> {
  const isCompared = [...filters.map(([name]) => name), order].some((word) => word?.startsWith('delta.'))
  return {
    ...Object.fromEntries(filters),
    ...(order !== undefined && { order }),
    ...(isCompared && base !== undefined && { base }),
  }
}

export function viewCall(id: string, question: RowQuestion): Call {
  const query = scenariosQuery(question)
  const given = Object.keys(query).length === 0 ? '' : `, ${JSON.stringify(query, undefined, 2)}`
  return {
    path: `/api/evaluations/${encodeURIComponent(id)}/evaluation_scenarios${stringifySearch(query)}`,
    client: `listEvaluationScenarios(${JSON.stringify(id)}${given})`,
  }
}
