// The search params of the evaluation and scenario pages: the API's filters and order, and display settings.
import { type RowPreferences, readRowParams, rowSearchOf, useRowParams } from '../state/row-params.ts'
import { oneOf, text, useSharedSearch } from '../state/search-params.ts'

/** The search param `base` of a page that compares with nothing. */
export const NO_BASELINE = ''

export const evaluationSearch = rowSearchOf({
  /** The evaluation to compare with: '' for none, undefined for the evaluation's own baseline or the default one. */
  base: text,
  /** Groups of errors, or every repeat of a row as a row of its own. */
  group: oneOf(['error', 'none']),
  row: text,
  /** Shows the open row as JSON. */
  view: oneOf(['json']),
})

type EvaluationParams = ReturnType<typeof readEvaluationParams>

export function readEvaluationParams(
  search: ReturnType<typeof evaluationSearch>,
  preferred: RowPreferences = {},
) {
  const { base, group, row, view } = search
  return { ...readRowParams(search, preferred), base, group, row, view }
}

export function useEvaluationParams(): EvaluationParams {
  return useRowParams(useSharedSearch<'/evaluations/$evaluationId'>(), readEvaluationParams)
}
