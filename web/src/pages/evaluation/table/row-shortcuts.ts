// The keyboard shortcuts of the table that are specific to evaluations: failures, pins, notes.
import { useQueryClient } from '@tanstack/react-query'
import { AssayError, type EvaluationSummary } from 'assay-client'
import type { KeyboardEvent } from 'react'
import { assay } from '../../../api/client.ts'
import { useCanWrite } from '../../../api/key.ts'
import { failureFilter, findNextFailure, isFailure } from '../../../evaluation-state/next-failure.ts'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { setPendingFocus } from '../../../evaluation-state/pending-focus.ts'
import type { RowQuery } from '../../../queries/evaluations.ts'
import type { Row } from '../../../results/cells.ts'
import type { EvaluatorDisplay } from '../../../results/evaluator-display.ts'
import { useChangePreference } from '../../../state/row-params.ts'
import { useNextMatch } from '../../../table/next-match.ts'
import type { Table } from '../../../table/table.ts'
import { useTableShortcuts } from '../../../table/table-shortcuts.ts'
import { toast } from '../../../ui/toasts.tsx'

interface RowShortcutOptions {
  pageState: EvaluationState
  summary: EvaluationSummary | undefined
  displays: Record<string, EvaluatorDisplay>
  query: RowQuery
  table: Table<Row>
  open: (index: number) => void
}

export function useRowShortcuts(options: RowShortcutOptions): (event: KeyboardEvent) => void {
  const { table, open } = options
  const prefer = useChangePreference()
  const pin = usePin(options)
  const goToNextMatch = useNextMatch(table, failureSearch(options))
  function writeNote(): void {
    const rowIndex = table.roving.position.row
    const row = table.windows.rowAt(rowIndex)
    if (!row) return
    setPendingFocus('note', row.id)
    open(rowIndex)
  }
  return useTableShortcuts(table, {
    open,
    goToNextMatch,
    changeDensity: (density) => prefer('density', density),
    ...(pin && { pageShortcuts: { p: pin, e: writeNote } }),
  })
}

/** Undefined for keys without the write scope. */
function usePin({ pageState, table }: RowShortcutOptions): (() => Promise<void>) | undefined {
  const queryClient = useQueryClient()
  const mayWrite = useCanWrite()
  if (!mayWrite) return undefined
  return async () => {
    const row = table.windows.rowAt(table.roving.position.row)
    if (!row) return
    try {
      await assay.markEvaluationScenario(pageState.id, row.id, { is_pinned: !row.is_pinned })
      toast(row.is_pinned ? 'Unpinned.' : 'Pinned.')
    } catch (error) {
      toast(error instanceof AssayError ? error.detail : 'Could not save the pin.')
    }
    await queryClient.invalidateQueries({ queryKey: ['evaluation', pageState.id] })
  }
}

function failureSearch({ pageState, summary, query, displays }: RowShortcutOptions) {
  if (!summary) return undefined
  const failure = failureFilter(summary, pageState.activeEvaluator)
  const rule = displays[pageState.activeEvaluator ?? '']
  return {
    noun: 'failure',
    isMatch: (row: Row) => isFailure(row, failure, rule),
    find: async ({ id }: Row, isForward: boolean) =>
      (await findNextFailure(pageState.id, query, failure, { from: id, isForward }))?.index,
  }
}
