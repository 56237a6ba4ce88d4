// The search params of the evaluation and scenario pages: the API's filters and order, and display settings.
import { type RowPreferences, readRowParams, rowSearchOf, useRowParams } from '../state/row-params.ts'
import { oneOf, text, useSharedSearch } from '../state/search-params.ts'

export const TABS = ['diff', 'output', 'inputs', 'results', 'raw'] as const
export type Tab = (typeof TABS)[number]

export const evaluationSearch = rowSearchOf({
  /** The evaluation to compare with: '' for none, undefined for the evaluation's own baseline. */
  base: text,
  group: oneOf(['error']),
  row: text,
  tab: oneOf(TABS),
})

export type EvaluationParams = ReturnType<typeof readEvaluationParams>

export function readEvaluationParams(
  search: ReturnType<typeof evaluationSearch>,
  preferred: RowPreferences = {},
) {
  const { base, group, row, tab } = search
  return { ...readRowParams(search, preferred), base, group, row, tab }
}

export function useEvaluationParams(): EvaluationParams {
  return useRowParams(useSharedSearch<'/evaluations/$evaluationId'>(), readEvaluationParams)
}
