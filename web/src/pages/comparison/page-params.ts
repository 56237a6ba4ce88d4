// The search params of the comparison page with their defaults.
import { useSearch } from '@tanstack/react-router'
import { type RowPreferences, readRowParams, useRowParams } from '../../state/row-params.ts'
import { type comparisonSearch, MAX_EVALUATIONS, type RowRef } from './search-params.ts'

export type ComparisonParams = ReturnType<typeof readComparisonParams>

export function readComparisonParams(
  search: ReturnType<typeof comparisonSearch>,
  preferred: RowPreferences = {},
) {
  const params = readRowParams(search, preferred)
  const { evaluation: ids = [], show = 'regressed', by = 'auto', row: id, side = 'base', pair = 1 } = search
  // Without duplicates, at most four.
  const evaluations = [...new Set(ids)]
  if (evaluations.length < ids.length) params.ignored.push('a duplicate evaluation')
  for (const id of evaluations.splice(MAX_EVALUATIONS))
    params.ignored.push(`evaluation=${id} (at most ${MAX_EVALUATIONS})`)
  const hasPair = pair === 1 || (pair === 'all' ? evaluations.length > 2 : pair < evaluations.length)
  if (!hasPair) params.ignored.push(`pair=${pair}`)
  const row: RowRef | undefined = id === undefined ? undefined : { id, side }
  return { ...params, evaluations, show, by, row, pair: hasPair ? pair : 1 }
}

export function useComparisonParams(): ComparisonParams {
  return useRowParams(useSearch({ from: '/compare' }), readComparisonParams)
}
