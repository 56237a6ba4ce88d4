// Navigation of a scenario, which is shown in a panel next to the table or on its own page.
import { useNavigate } from '@tanstack/react-router'
import { setPendingFocus } from '../../evaluation-state/pending-focus.ts'
import { type PageSearch, useChangeSearchParams } from '../../state/search-params.ts'

export interface Frame {
  kind: 'panel' | 'page'
  /** Opens another scenario in the same frame, and replaces the history entry. */
  open(scenario: string): void
  close(): void
  /** Switches between panel and page. */
  switchFrame(): void
}

/** Removes the search params of a single scenario. */
const WITHOUT_SCENARIO = { row: undefined, view: undefined, output: undefined }

export function usePanelFrame(evaluationId: string, scenarioId: string): Frame {
  const navigate = useNavigate()
  const changeParams = useChangeSearchParams()
  return {
    kind: 'panel',
    open: (row) => changeParams({ row, output: undefined }, { replace: true }),
    close: () => changeParams(WITHOUT_SCENARIO),
    switchFrame: () =>
      navigate({
        to: '/evaluations/$evaluationId/scenarios/$scenarioId',
        params: { evaluationId, scenarioId },
        search: (old) => ({ ...old, row: undefined }),
      }),
  }
}

export function usePageFrame(evaluationId: string, scenarioId: string): Frame {
  const navigate = useNavigate()
  const toEvaluation = (changes: PageSearch<'/evaluations/$evaluationId'>) =>
    navigate({
      to: '/evaluations/$evaluationId',
      params: { evaluationId },
      search: (old) => ({ ...old, ...changes }),
    })
  return {
    kind: 'page',
    open: (next) =>
      navigate({
        to: '/evaluations/$evaluationId/scenarios/$scenarioId',
        params: { evaluationId, scenarioId: next },
        search: (old) => ({ ...old, output: undefined }),
        replace: true,
      }),
    close: () => {
      setPendingFocus('row', scenarioId)
      void toEvaluation(WITHOUT_SCENARIO)
    },
    switchFrame: () => toEvaluation({ row: scenarioId }),
  }
}
