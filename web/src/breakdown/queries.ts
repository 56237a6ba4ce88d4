// The query of a breakdown. It belongs to the evaluation, so that new rows cause a new request.
import { queryOptions } from '@tanstack/react-query'
import { assay } from '../api/client.ts'
import type { Filter } from '../state/row-params.ts'

export interface BreakdownSubject {
  evaluation: string
  base: string | undefined
  filters: readonly Filter[]
}

export function breakdownQuery({ evaluation, base, filters }: BreakdownSubject, dimension: string) {
  // All groups are listed, also if one of them is selected.
  const query = { base, filters: filters.filter(([name]) => name !== dimension) }
  return queryOptions({
    queryKey: ['evaluation', evaluation, 'breakdown', dimension, query],
    queryFn: ({ signal }) =>
      assay.getEvaluationBreakdown(
        evaluation,
        { ...Object.fromEntries(query.filters), base, by: dimension },
        { signal },
      ),
  })
}
