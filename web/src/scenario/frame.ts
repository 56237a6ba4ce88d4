// What differs between a scenario beside the table and one with a page of its own: where moves, closing and switching lead.
import { useNavigate } from '@tanstack/react-router'
import { useChangeSearch } from '../change-search.ts'
import { handOver } from '../evaluation/handed-over.ts'
import type { Search } from '../search.ts'

export interface Frame {
  kind: 'panel' | 'page'
  /** Another scenario in the same frame. Back leads out of it, not through all that were looked at. */
  open(scenario: string): void
  close(): void
  /** From the panel to the page, and back. */
  switchFrame(): void
}

/** What is about one scenario alone. */
const CLOSED = { row: undefined, tab: undefined, output: undefined }

export function usePanelFrame(evaluationId: string, scenarioId: string): Frame {
  const navigate = useNavigate()
  const change = useChangeSearch()
  return {
    kind: 'panel',
    open: (row) => change({ row, output: undefined }, { replace: true }),
    close: () => change(CLOSED),
    switchFrame: () =>
      navigate({
        to: '/evaluations/$evaluationId/scenarios/$scenarioId',
        params: { evaluationId, scenarioId },
        search: (old: Search) => ({ ...old, row: undefined }),
      }),
  }
}

export function usePageFrame(evaluationId: string, scenarioId: string): Frame {
  const navigate = useNavigate()
  const toEvaluation = (changes: Search) =>
    navigate({
      to: '/evaluations/$evaluationId',
      params: { evaluationId },
      search: (old: Search) => ({ ...old, ...changes }),
    })
  return {
    kind: 'page',
    open: (next) =>
      navigate({
        to: '/evaluations/$evaluationId/scenarios/$scenarioId',
        params: { evaluationId, scenarioId: next },
        search: (old: Search) => ({ ...old, output: undefined }),
        replace: true,
      }),
    close: () => {
      handOver('row', scenarioId)
      void toEvaluation(CLOSED)
    },
    switchFrame: () => toEvaluation({ row: scenarioId }),
  }
}
