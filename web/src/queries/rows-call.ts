// The API request that returns the rows of a view with their full texts.
import type { ApiCall } from '../format/api-snippets.ts'
import { stringifySearch } from '../state/search-params.ts'
import type { RowQuery } from './evaluations.ts'

/** Includes the baseline only if a filter or the order uses it. */
export function scenarioParams({ filters, order, base }: RowQuery): Record<string, string | string[]> {
  const isCompared = [...filters.map(([name]) => name), order].some((name) => name?.startsWith('delta.'))
  return {
    ...Object.fromEntries(filters),
    ...(order !== undefined && { order }),
    ...(isCompared && base !== undefined && { base }),
  }
}

export function rowsApiCall(id: string, query: RowQuery): ApiCall {
  const params = scenarioParams(query)
  const argument = Object.keys(params).length === 0 ? '' : `, ${JSON.stringify(params, undefined, 2)}`
  return {
    path: `/api/evaluations/${encodeURIComponent(id)}/evaluation_scenarios${stringifySearch(params)}`,
    client: `listEvaluationScenarios(${JSON.stringify(id)}${argument})`,
  }
}
