// The position of a scenario among the filtered rows, and navigation to other rows and failures.
import type { EvaluationRows } from 'assay-client'
import { queryClient } from '../../api/client.ts'
import { failureFilter, failuresIn } from '../../evaluation-state/next-failure.ts'
import { type EvaluationState, selectEvaluator } from '../../evaluation-state/page-state.ts'
import { evaluationRows, summaryQuery } from '../../queries/evaluations.ts'
import { type RowNavigation, useRowNavigation } from '../../row-panel/row-navigation.ts'

export function useScenarioNavigation(
  { id, evaluation, query, activeEvaluator }: EvaluationState,
  scenario: string,
  open: (id: string) => void,
): RowNavigation<EvaluationRows> {
  return useRowNavigation({
    source: evaluationRows(id, query),
    isReady: evaluation !== undefined,
    row: scenario,
    open,
    scenariosOf: (row) => [[id, row.id]],
    matchName: 'failure',
    loadMatches: async () => {
      const summary = await queryClient.fetchQuery(summaryQuery(id, { filters: [], base: query.base }))
      return failuresIn(id, query, failureFilter(summary, selectEvaluator(activeEvaluator, summary)))
    },
  })
}
